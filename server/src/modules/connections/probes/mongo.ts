import { pingMongo } from '../../../platform/clients/mongodb.ts'
import type { Probe } from './probe.ts'

export const mongo: Probe = pingMongo

import { queryPostgres } from '../../../platform/clients/postgres.ts'
import { need, type Probe } from './probe.ts'

export const postgres: Probe = (run, target) =>
  queryPostgres(run, { ...target, url: need(target.url, 'the url') }, 'select 1', () => undefined)

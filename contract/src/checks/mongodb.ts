import { z } from 'zod'
import { common, connected } from './common.ts'

export const MongodbCheck = z.looseObject({
  ...common,
  ...connected,
})
export type MongodbCheck = z.infer<typeof MongodbCheck>

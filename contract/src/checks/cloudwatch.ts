import { z } from 'zod'
import { awsFields, common, templated } from './common.ts'

export const CloudwatchCheck = z.looseObject({
  ...common,
  ...templated,
  ...awsFields,
  actionPrefix: z.string().optional(),
  alarmPrefix: z.string().optional(),
  alarms: z.array(z.string()).optional(),
  state: z.string().optional(),
})
export type CloudwatchCheck = z.infer<typeof CloudwatchCheck>

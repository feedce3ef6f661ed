import { z } from 'zod'
import { SecretText, common, templated } from './common.ts'

export const DynatraceCheck = z.looseObject({
  ...common,
  ...templated,
  connection: z.string().optional(),
  host: z.string().optional(),
  scheme: z.string().default('https'),
  apiKey: SecretText.optional(),
})
export type DynatraceCheck = z.infer<typeof DynatraceCheck>

import { z } from 'zod'
import { awsFields, common, templated } from './common.ts'

export const AwsConfigCheck = z.looseObject({
  ...common,
  ...templated,
  ...awsFields,
  query: z.string().min(1),
  aggregatorName: z.string().optional(),
})
export type AwsConfigCheck = z.infer<typeof AwsConfigCheck>

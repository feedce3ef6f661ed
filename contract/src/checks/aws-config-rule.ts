import { z } from 'zod'
import { awsFields, common, templated } from './common.ts'

export const AwsConfigRuleCheck = z.looseObject({
  ...common,
  ...templated,
  ...awsFields,
  rules: z.array(z.string()).optional(),
  ignoreRules: z.array(z.string()).optional(),
  complianceTypes: z.array(z.string()).optional(),
})
export type AwsConfigRuleCheck = z.infer<typeof AwsConfigRuleCheck>

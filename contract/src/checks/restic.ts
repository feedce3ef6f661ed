import { z } from 'zod'
import { SecretText, common, duration } from './common.ts'

export const ResticCheck = z.looseObject({
  ...common,
  connection: z.string().optional(),
  awsConnectionName: z.string().optional(),
  repository: z.string().min(1),
  password: SecretText.optional(),
  maxAge: duration.describe('The newest snapshot must be younger than this'),
  checkIntegrity: z.boolean().optional(),
  accessKey: SecretText.optional(),
  secretKey: SecretText.optional(),
  caCert: z.string().optional(),
})
export type ResticCheck = z.infer<typeof ResticCheck>

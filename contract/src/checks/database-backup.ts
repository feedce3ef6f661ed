import { z } from 'zod'
import { SecretText, common, duration, templated } from './common.ts'

export const DatabaseBackupCheck = z.looseObject({
  ...common,
  ...templated,
  gcp: z
    .object({
      project: z.string(),
      instance: z.string(),
      gcpConnection: z
        .object({
          connection: z.string().optional(),
          endpoint: z.string().optional(),
          credentials: SecretText.optional(),
        })
        .optional(),
    })
    .optional(),
  maxAge: duration.optional(),
})
export type DatabaseBackupCheck = z.infer<typeof DatabaseBackupCheck>

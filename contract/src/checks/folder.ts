import { z } from 'zod'
import { SecretText, awsFields, common, templated } from './common.ts'

export const FolderCheck = z.looseObject({
  ...common,
  ...templated,
  path: z.string().min(1).describe('Folder, or s3://, gcs://, smb:// address'),
  recursive: z.boolean().optional(),
  filter: z
    .object({
      minAge: z.string().optional(),
      maxAge: z.string().optional(),
      since: z.string().optional(),
      minSize: z.string().optional(),
      maxSize: z.string().optional(),
      regex: z.string().optional(),
    })
    .optional()
    .describe('Which files count'),
  minAge: z.string().optional().describe('The newest file must be older than this'),
  maxAge: z.string().optional().describe('The oldest file must be younger than this'),
  minCount: z.number().int().min(0).optional(),
  maxCount: z.number().int().min(0).optional(),
  minSize: z.string().optional(),
  maxSize: z.string().optional(),
  availableSize: z.string().optional().describe('Free space that must be left'),
  totalSize: z.string().optional(),
  awsConnection: z
    .object({
      ...awsFields,
      bucket: z.string().optional(),
      objectPath: z.string().optional(),
      usePathStyle: z.boolean().optional(),
    })
    .optional(),
  gcpConnection: z
    .object({
      connection: z.string().optional(),
      endpoint: z.string().optional(),
      bucket: z.string().optional(),
      credentials: SecretText.optional(),
    })
    .optional(),
  smbConnection: z
    .object({
      connection: z.string().optional(),
      host: z.string().optional(),
      port: z.number().int().optional(),
      domain: z.string().optional(),
      share: z.string().optional(),
      username: SecretText.optional(),
      password: SecretText.optional(),
    })
    .optional(),
  sftpConnection: z
    .object({
      connection: z.string().optional(),
      host: z.string().optional(),
      port: z.number().int().optional(),
      domain: z.string().optional(),
      share: z.string().optional(),
      username: SecretText.optional(),
      password: SecretText.optional(),
    })
    .optional(),
})
export type FolderCheck = z.infer<typeof FolderCheck>

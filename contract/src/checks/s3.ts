import { z } from 'zod'
import { awsFields, common } from './common.ts'

export const S3Check = z.looseObject({
  ...common,
  ...awsFields,
  bucketName: z.string().optional(),
  bucket: z.union([z.string(), z.looseObject({ name: z.string().optional() })]).optional(),
  objectPath: z.string().optional(),
  usePathStyle: z.boolean().optional(),
})
export type S3Check = z.infer<typeof S3Check>

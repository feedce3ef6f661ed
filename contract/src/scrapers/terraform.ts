import { z } from 'zod'
import { connected, extraction, SecretText } from './common.ts'

const Bucket = z.looseObject({
  ...connected,
  bucket: z.string().min(1),
  objectPath: z.string().min(1).describe('Keys of state files, with * and **'),
  region: z.string().optional(),
  accessKey: SecretText.optional(),
  secretKey: SecretText.optional(),
  sessionToken: SecretText.optional(),
  endpoint: z.string().optional().describe('Instead of that of AWS, for services that speak like it'),
  usePathStyle: z.boolean().optional().describe('The bucket in the path instead of the host name'),
  skipTLSVerify: z.boolean().optional(),
})

export const TerraformScraper = z.looseObject({
  ...extraction,
  name: z.string().optional().describe('Name of the item: a Go template over path; the path unless given'),
  state: z
    .looseObject({
      local: z.string().min(1).optional().describe('State files of this machine: an absolute path, with * and **'),
      s3: Bucket.optional().describe('State files in a bucket'),
    })
    .refine((state) => state.local !== undefined || state.s3 !== undefined, 'local or s3 is needed')
    .describe('Where the state files are'),
})
export type TerraformScraper = z.infer<typeof TerraformScraper>

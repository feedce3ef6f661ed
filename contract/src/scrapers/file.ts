import { z } from 'zod'
import { connected, extraction } from './common.ts'

export const FileScraper = z.looseObject({
  ...extraction,
  ...connected,
  url: z
    .string()
    .optional()
    .describe('A folder, git::https://host/repo.git//folder?ref=branch, or the http address of a file'),
  paths: z.array(z.string()).optional().describe('Which files, with * and **; all .json, .yaml and .yml unless given'),
  ignore: z.array(z.string()).optional().describe('Files that are left out, with * and **'),
})
export type FileScraper = z.infer<typeof FileScraper>

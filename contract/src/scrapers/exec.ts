import { z } from 'zod'
import { EnvVar, extraction } from './common.ts'

export const ExecScraper = z.looseObject({
  ...extraction,
  script: z.string().min(1).describe('Shell script; what it prints is the document'),
  env: z.array(EnvVar).optional(),
  timeout: z.number().int().min(1).optional().describe('Seconds the script may run, 600 unless given'),
})
export type ExecScraper = z.infer<typeof ExecScraper>

import { z } from 'zod'
import { EnvVar, SecretText, common, templated } from './common.ts'

export const ExecCheck = z.looseObject({
  ...common,
  ...templated,
  script: z.string().min(1).describe('Shell script'),
  env: z.array(EnvVar).optional(),
  connections: z
    .object({
      aws: z.looseObject({}).optional(),
      gcp: z.looseObject({}).optional(),
      azure: z.looseObject({}).optional(),
      kubernetes: z.looseObject({}).optional(),
    })
    .optional(),
  checkout: z
    .object({
      url: z.string().optional(),
      connection: z.string().optional(),
      username: SecretText.optional(),
      password: SecretText.optional(),
      certificate: SecretText.optional(),
      destination: z.string().optional(),
    })
    .optional()
    .describe('Git repository checked out before the script runs'),
  artifacts: z
    .array(z.object({ path: z.string() }))
    .optional()
    .describe('Files kept after the run; /dev/stdout and /dev/stderr are allowed'),
  timeout: z.number().int().min(1).optional().describe('Seconds the script may run'),
})
export type ExecCheck = z.infer<typeof ExecCheck>

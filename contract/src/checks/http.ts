import { z } from 'zod'
import { EnvVar, SecretText, common, connected, templated, threshold } from './common.ts'

export const HttpCheck = z.looseObject({
  ...common,
  ...connected,
  ...templated,
  endpoint: z.string().optional().describe('Old name of url'),
  method: z.string().default('GET').describe('GET, POST, PUT, …'),
  body: z.string().optional().describe('Request body; templated when templateBody is set'),
  templateBody: z.boolean().optional(),
  headers: z.array(EnvVar).optional(),
  env: z.array(EnvVar).optional().describe('Values for the templates of url and body'),
  thresholdMillis: threshold,
  responseCodes: z.array(z.number().int()).optional().describe('Codes that pass; any 2xx when empty'),
  responseContent: z.string().optional().describe('Text that the answer must contain'),
  responseJSONContent: z.looseObject({ path: z.string().optional(), value: z.string().optional() }).optional(),
  maxSSLExpiry: z.number().int().min(0).optional().describe('Days the certificate must still be valid'),
  ntlm: z.boolean().optional(),
  ntlmv2: z.boolean().optional(),
  oauth2: z
    .object({
      scope: z.array(z.string()).optional(),
      tokenURL: z.string().optional(),
      params: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  tlsConfig: z
    .object({
      insecureSkipVerify: z.boolean().optional(),
      handshakeTimeout: z.number().optional(),
      ca: SecretText.optional(),
      cert: SecretText.optional(),
      key: SecretText.optional(),
    })
    .optional(),
})
export type HttpCheck = z.infer<typeof HttpCheck>

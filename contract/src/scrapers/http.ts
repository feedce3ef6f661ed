import { z } from 'zod'
import { connected, EnvVar, extraction, SecretText } from './common.ts'

export const HttpScraper = z.looseObject({
  ...extraction,
  ...connected,
  url: z.string().optional().describe('Address; templated'),
  method: z.string().default('GET').describe('GET, POST, PUT, …'),
  body: z.string().optional().describe('Request body; templated'),
  headers: z.record(z.string(), SecretText).optional(),
  env: z.array(EnvVar).optional().describe('Values for the templates of url, body and headers'),
  username: SecretText.optional(),
  password: SecretText.optional(),
  bearer: SecretText.optional().describe('Bearer token'),
  oauth: z
    .looseObject({
      clientID: SecretText.optional(),
      clientSecret: SecretText.optional(),
      tokenURL: z.string().optional(),
      scope: z.array(z.string()).optional(),
      params: z.record(z.string(), z.string()).optional(),
    })
    .optional()
    .describe('Client credentials'),
  tls: z
    .looseObject({
      insecureSkipVerify: z.boolean().optional(),
      ca: SecretText.optional(),
      cert: SecretText.optional(),
      key: SecretText.optional(),
    })
    .optional(),
})
export type HttpScraper = z.infer<typeof HttpScraper>

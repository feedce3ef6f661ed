import { z } from 'zod'
import { common, threshold } from './common.ts'

export const DnsCheck = z.looseObject({
  ...common,
  server: z.string().optional().describe("Resolver to ask; the system's when empty"),
  port: z.number().int().min(1).max(65535).default(53),
  query: z.string().optional().describe('Name or address to look up'),
  querytype: z.string().default('A').describe('A, AAAA, CNAME, SRV, MX, PTR, TXT, NS, SOA or CAA'),
  minrecords: z.number().int().min(0).optional(),
  exactreply: z.array(z.string()).optional(),
  timeout: z.number().min(0).default(10).describe('Seconds'),
  thresholdMillis: threshold,
  srvReply: z
    .looseObject({
      target: z.string().optional(),
      port: z.number().optional(),
      priority: z.number().optional(),
      weight: z.number().optional(),
    })
    .optional(),
})
export type DnsCheck = z.infer<typeof DnsCheck>

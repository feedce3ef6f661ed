import { z } from 'zod'
import { common, connected } from './common.ts'

export const LdapCheck = z.looseObject({
  ...common,
  ...connected,
  bindDN: z.string().describe('Where the search begins'),
  userSearch: z.string().optional().describe('Search filter'),
  skipTLSVerify: z.boolean().optional(),
})
export type LdapCheck = z.infer<typeof LdapCheck>

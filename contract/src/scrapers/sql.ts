import { z } from 'zod'
import { connected, extraction, SecretText } from './common.ts'

export const SqlScraper = z.looseObject({
  ...extraction,
  ...connected,
  type: z.string().min(1).describe('Type of the items, Provider::Kind: a text, or a JSONPath that begins with $ or @'),
  id: z.string().min(1).describe('Id of the item in its source: a text, or a JSONPath that begins with $ or @'),
  connection: z.string().min(1).describe('connection://namespace/name, an id, or the address of the database'),
  auth: z
    .strictObject({ username: SecretText.optional(), password: SecretText.optional() })
    .optional()
    .describe('Instead of what the connection says'),
  driver: z.enum(['postgres', 'mysql', 'mssql', 'sqlserver']).optional().describe('Read from the address unless given'),
  query: z.string().min(1).describe('Each row is an item; a row of one column gives the document itself'),
})
export type SqlScraper = z.infer<typeof SqlScraper>

import { z } from 'zod'
import { extraction } from './common.ts'

export const QuarterdeckScraper = z.looseObject({
  ...extraction,
  tables: z.boolean().default(true).describe('Also the tables of the database'),
})
export type QuarterdeckScraper = z.infer<typeof QuarterdeckScraper>

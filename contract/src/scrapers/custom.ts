import { z } from 'zod'
import { extraction } from './common.ts'

export const CustomScraper = z.looseObject({
  ...extraction,
  config: z.unknown().describe('The document itself: an object, a list of objects, or text in the given format'),
})
export type CustomScraper = z.infer<typeof CustomScraper>

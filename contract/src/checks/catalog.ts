import { z } from 'zod'
import { common, templated } from './common.ts'

export const CatalogCheck = z.looseObject({
  ...common,
  ...templated,
  selector: z.array(z.looseObject({})).min(1).describe('Which catalog items'),
})
export type CatalogCheck = z.infer<typeof CatalogCheck>

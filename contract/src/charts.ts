import { z } from 'zod'

/** Charts that bring ready-made scrapers, topologies and checks into a cluster. */
export const chartIds = ['aws', 'azure', 'prometheus', 'flux', 'kubernetes', 'mission-control'] as const
export type ChartId = (typeof chartIds)[number]

/** Where Helm and Flux find them. */
export const chartRepository = { name: 'flanksource', url: 'https://flanksource.github.io/charts' } as const

/** What the registry says about a chart. */
export const ChartDefinition = z.object({
  id: z.enum(chartIds),
  name: z.string(),
  version: z.string(),
  app_version: z.string().nullable(),
  description: z.string().nullable(),
  /** JSON Schema of its values; null when the chart has none. */
  schema: z.record(z.string(), z.unknown()).nullable(),
})
export type ChartDefinition = z.infer<typeof ChartDefinition>

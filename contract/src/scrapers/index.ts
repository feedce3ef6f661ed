import type { z } from 'zod'
import { CustomScraper } from './custom.ts'
import { ExecScraper } from './exec.ts'
import { FileScraper } from './file.ts'
import { HttpScraper } from './http.ts'
import { KubernetesScraper } from './kubernetes.ts'
import { SqlScraper } from './sql.ts'

/** Every kind of scraper that runs, by its key in a scraper spec, with what people call it. */
export const scraperSchemas = {
  file: { label: 'File', schema: FileScraper },
  http: { label: 'HTTP', schema: HttpScraper },
  sql: { label: 'SQL', schema: SqlScraper },
  exec: { label: 'Script', schema: ExecScraper },
  custom: { label: 'Custom', schema: CustomScraper },
  kubernetes: { label: 'Kubernetes', schema: KubernetesScraper },
} as const satisfies Record<string, { label: string; schema: z.ZodType }>

export type ScraperKindKey = keyof typeof scraperSchemas

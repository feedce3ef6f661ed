import { custom } from './custom.ts'
import { exec } from './exec.ts'
import { file } from './file.ts'
import { http } from './http.ts'
import type { ScraperKind } from './kind.ts'
import { kubernetes } from './kubernetes.ts'
import { sql } from './sql.ts'

/** Every kind that runs. A new kind is a file here, its schema in the contract, and a line in both indexes. */
export const scraperKinds = [custom, exec, file, http, kubernetes, sql] as unknown as ScraperKind[]

const byKey = new Map(scraperKinds.map((kind) => [kind.key, kind]))
export const scraperKind = (key: string): ScraperKind | undefined => byKey.get(key)

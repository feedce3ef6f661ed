import { registerKind, registerSchemaFile } from '@quarterdeck/contract/documents'
import { scraperSchemas } from '@quarterdeck/contract/scrapers/index'
import { ScraperSpec } from '@quarterdeck/contract/scrapers/scraper-spec'
import { fromFile, type KindStore } from './kind-store.ts'

export const scrapeConfig: KindStore = {
  kind: 'ScrapeConfig',
  table: 'config_scrapers',
  columns: { name: 'text', spec: 'jsonb' },
  source: () => fromFile,
  sourceType: 'source',
  defaultNamespace: '',
  nameColumns: ['name'],
  hasAgents: true,
  toColumns: ({ metadata, spec }) => ({
    // The table has no namespace; documents carry theirs in the name.
    name: metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name,
    spec,
  }),
  toDocument(row) {
    const full = String(row.name)
    const slash = full.indexOf('/')
    return {
      metadata: slash > 0 ? { namespace: full.slice(0, slash), name: full.slice(slash + 1) } : { name: full },
      spec: row.spec as Record<string, unknown>,
    }
  },
}

registerKind('ScrapeConfig', { spec: ScraperSpec })
for (const [key, { schema }] of Object.entries(scraperSchemas))
  registerSchemaFile(`config_${key.toLowerCase()}.schema.json`, schema)

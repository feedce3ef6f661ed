import { lazy } from 'react'
import { spec, text } from '@/ui/form/declare.ts'
import { iconOfSpec, withoutEmptyFields } from '../../scraper/scraper-form.ts'
import { objectOf, type ResourceKind, textOf } from '../resource-kind.ts'

export const scraper: ResourceKind = {
  table: 'config_scrapers',
  list: 'config_scrapers_with_status',
  resource: 'config_scrapers',
  title: 'Catalog Scrapers',
  name: 'Catalog Scraper',
  noun: 'catalog scraper',
  icon: 'scraper',
  iconOf: (row) => iconOfSpec(row.spec),
  about: 'A scraper reads what there is in a cluster, a cloud or a file, and keeps the catalog in step with it.',
  hidden: ['schedule'],
  without: ['namespace'],
  jobType: 'config_scraper',
  engine: 'catalog',
  fields: ({ isNew, readOnly }) => [
    text('name', { label: 'Name', required: true, maxLength: 253, readOnly: readOnly || !isNew }),
    text('source', { label: 'Source', readOnly: true }),
    spec('spec', { label: 'Spec', required: true, schema: '/api/schemas/scrape_config.spec.schema.json', readOnly }),
  ],
  Form: lazy(async () => ({ default: (await import('../../scraper/scraper-editor.tsx')).ScraperEditor })),
  start: { name: '', source: 'UI', spec: {} },
  valuesOf: (stored) => ({
    id: stored.id,
    name: stored.name,
    source: stored.source ?? 'UI',
    spec: objectOf(stored.spec),
  }),
  toRow: (values) => ({ name: textOf(values.name), spec: withoutEmptyFields(objectOf(values.spec)) }),
  deleteText: 'It scrapes no more. What it found leaves the catalog.',
}

import { useParams } from 'react-router'
import { paths } from '@/app/paths.ts'
import { CatalogTabs } from '@/entities/config/catalog-tabs.tsx'
import { AddScraperDialog } from '@/entities/scraper/add-scraper-dialog.tsx'
import { scraper } from '@/entities/settings-resource/kinds/scraper.ts'
import type { ResourceKind } from '@/entities/settings-resource/resource-kind.ts'
import { ResourceListPage } from '@/entities/settings-resource/resource-list.tsx'
import { ResourcePage } from '@/entities/settings-resource/resource-page.tsx'
import { ScraperHeader } from './scraper-header.tsx'

const inCatalog: ResourceKind = { ...scraper, pathOf: paths.scraper }
const add = (onClose: () => void) => <AddScraperDialog onClose={onClose} />

/** The scrapers that fill the catalog, among the pages of the catalog. */
export function CatalogScrapersPage() {
  return (
    <div className="flex h-full flex-col">
      <CatalogTabs />
      <div className="min-h-0 flex-1">
        <ResourceListPage kind={inCatalog} addDialog={add} />
      </div>
    </div>
  )
}

export function CatalogScraperPage() {
  const { id = '' } = useParams()
  return <ScraperPage key={id} id={id} kind={inCatalog} at={paths.scraper(id)} back={paths.scrapers} />
}

/** The same among the settings. */
export function ScraperSettingsListPage() {
  return <ResourceListPage kind={scraper} addDialog={add} />
}

export function ScraperSettingsPage() {
  const { id = '' } = useParams()
  return (
    <ScraperPage
      key={id}
      id={id}
      kind={scraper}
      at={paths.settingsItem('config_scrapers', id)}
      back={paths.settingsTable('config_scrapers')}
    />
  )
}

/** One scraper: how it is doing, its spec, and what its runs did. */
function ScraperPage({ id, kind, at, back }: { id: string; kind: ResourceKind; at: string; back: string }) {
  return (
    <div className="flex h-full flex-col">
      <ScraperHeader id={id} />
      <div className="min-h-0 flex-1">
        <ResourcePage kind={kind} id={id} at={at} back={back} />
      </div>
    </div>
  )
}

import { CatalogTabs } from '@/entities/config/catalog-tabs.tsx'
import { InsightList } from './insight-list.tsx'

/** Findings about all catalog items, or about those behind a component of the topology. */
export function InsightsPage() {
  return (
    <div className="flex h-full flex-col">
      <CatalogTabs />
      <div className="min-h-0 flex-1">
        <InsightList />
      </div>
    </div>
  )
}

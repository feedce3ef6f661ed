import { CatalogTabs } from '@/entities/config/catalog-tabs.tsx'
import { ChangeList } from './change-list.tsx'

/** What changed in the catalog. */
export function ChangesPage() {
  return (
    <div className="flex h-full flex-col">
      <CatalogTabs />
      <div className="min-h-0 flex-1">
        <ChangeList />
      </div>
    </div>
  )
}

import { toggleTriState, byTagKey } from '@quarterdeck/contract/tri-state'
import { CatalogTabs } from '@/entities/config/catalog-tabs.tsx'
import { useFilters } from '@/lib/use-filters.ts'
import { catalogFilters, defaultGroups, isFlat } from './catalog.filters.ts'
import { CatalogToolbar } from './catalog-toolbar.tsx'
import { ConfigTable } from './list/config-table.tsx'
import { useHideDeleted } from './preferences.ts'
import { SummaryTable } from './summary/summary-table.tsx'

/** The catalog: by groups, or as a list once a type, label or text is asked for. */
export function CatalogPage() {
  const [filters, setFilters] = useFilters(catalogFilters)
  const [hidesDeleted] = useHideDeleted()
  const isNarrowed = catalogFilters.countActive(filters, ['status', 'health', 'tags']) > 0
  return (
    <div className="flex h-full flex-col">
      <CatalogTabs />
      <CatalogToolbar filters={filters} setFilters={setFilters} />
      <div className="min-h-0 flex-1">
        {isFlat(filters) ? (
          <ConfigTable
            filters={filters}
            withDeleted={!hidesDeleted}
            onSort={(sort) => setFilters({ sort })}
            onTag={(key, value) => setFilters({ tags: toggleTriState(filters.tags, `${key}:${value}`, 1, byTagKey) })}
          />
        ) : (
          <SummaryTable
            filters={filters}
            withDeleted={!hidesDeleted}
            isNarrowed={isNarrowed}
            onSort={(sort) => setFilters({ sort })}
            onOpen={(node) =>
              setFilters(
                {
                  configType: node.type ?? '',
                  labels: node.labels,
                  tags: { ...filters.tags, ...node.tags },
                  groupBy: defaultGroups,
                  sort: undefined,
                },
                { push: true },
              )
            }
          />
        )}
      </div>
    </div>
  )
}

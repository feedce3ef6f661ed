import { useQuery } from '@tanstack/react-query'
import { Network, SearchX, Table2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '@/app/paths.ts'
import { LinkedComponents } from '@/entities/config-links/linked-components.tsx'
import { plural } from '@/lib/format.ts'
import { naturalOrder } from '@/lib/natural-order.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import { toOptions } from '@/ui/option.ts'
import { Segmented } from '@/ui/segmented.tsx'
import { Skeleton } from '@/ui/skeleton.tsx'
import { Switch } from '@/ui/switch.tsx'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { relationColumns, type RelationRow } from './relation-columns.tsx'
import { RelationToggles } from './relation-toggles.tsx'
import { RelationsGraph } from './relations-graph.tsx'
import { narrowing, relationFilters } from './relations.filters.ts'
import { answerLimit, statusesQuery, typesQuery } from './relations.queries.ts'
import { useRelations } from './use-relations.ts'

const healthOptions = toOptions(['healthy', 'unhealthy', 'warning', 'unknown'])
const views = [
  { value: 'table', label: 'Table', icon: Table2 },
  { value: 'graph', label: 'Graph', icon: Network },
] as const

/** What one catalog item has to do with others, as a table or a graph; the tab of its page. */
export function ConfigRelationshipsTab({ configId }: { configId: string }) {
  return <Relationships key={configId} configId={configId} />
}

function Relationships({ configId }: { configId: string }) {
  const navigate = useNavigate()
  const [filters, setFilters] = useFilters(relationFilters)
  const [wants, setWants] = useState({ types: false, statuses: false, labels: false, relationships: false })
  const want = (name: keyof typeof wants) => () => setWants((now) => ({ ...now, [name]: true }))
  const types = useQuery({ ...typesQuery, enabled: wants.types })
  const statuses = useQuery({ ...statusesQuery, enabled: wants.statuses })
  const found = useRelations(configId, filters, wants)
  const { around } = found
  const isNarrowed = relationFilters.countActive(filters, narrowing) > 0
  const rows = useMemo(
    () =>
      around &&
      [...around.items.values()]
        .filter((item) => item.id !== around.rootId)
        .map((item): RelationRow => ({ ...item, standing: around.standing.get(item.id)! }))
        .toSorted(nearestFirst),
    [around],
  )
  const { view: _view, sort: _sort, ...question } = filters
  const chosenLabels = Object.entries(filters.labels).map(([key, value]) => `${key}: ${value}`)

  if (found.isMissing) return <EmptyState title="Details not found" />
  const empty = isNarrowed ? (
    <EmptyState icon={SearchX} title="No related item matches these filters" />
  ) : (
    <EmptyState icon={Network} title="No relationships">
      {filters.soft
        ? 'Nothing in the catalog points to this item, and it points to nothing.'
        : 'Only relationships that hold things together are shown. Switch on Soft to see looser ones.'}
    </EmptyState>
  )
  return (
    <div className="flex h-full min-h-0 flex-col">
      <FilterBar
        className="shrink-0 border-b border-line bg-surface px-4 py-2"
        isActive={isNarrowed}
        onClear={() => {
          const { configTypes, labels, relationship, status, health } = relationFilters.defaults
          setFilters({ configTypes, labels, relationship, status, health })
        }}
        filters={[
          {
            kind: 'element',
            label: 'Directions',
            element: <RelationToggles value={filters} onChange={setFilters} />,
          },
          {
            kind: 'signed',
            label: 'Config type',
            options: types.data && toOptions(types.data.map((row) => row.type)),
            onOpen: want('types'),
            value: filters.configTypes,
            onChange: (configTypes) => setFilters({ configTypes }),
          },
          {
            kind: 'many',
            label: 'Labels',
            options: found.labelOptions && toOptions(found.labelOptions),
            onOpen: want('labels'),
            value: chosenLabels,
            onChange: (pairs) => setFilters({ labels: Object.fromEntries(pairs.map(splitLabel)) }),
          },
          {
            kind: 'signed',
            label: 'Relationship',
            options: found.relationOptions && toOptions(found.relationOptions),
            onOpen: want('relationships'),
            value: filters.relationship,
            onChange: (relationship) => setFilters({ relationship }),
          },
          {
            kind: 'signed',
            label: 'Status',
            options: statuses.data && toOptions(statuses.data.map((row) => row.status)),
            onOpen: want('statuses'),
            value: filters.status,
            onChange: (status) => setFilters({ status }),
          },
          {
            kind: 'signed',
            label: 'Health',
            options: healthOptions,
            value: filters.health,
            onChange: (health) => setFilters({ health }),
          },
          {
            kind: 'element',
            label: 'Deleted',
            element: (
              <Switch
                label="Hide deleted"
                checked={filters.hideDeleted}
                onCheckedChange={(hideDeleted) => setFilters({ hideDeleted })}
              />
            ),
          },
        ]}
        actions={
          <>
            {filters.view === 'table' && <ColumnsMenu tableId="config-relationships" columns={relationColumns} />}
            <Segmented
              aria-label="View"
              value={filters.view}
              onChange={(view) => setFilters({ view })}
              options={views}
            />
          </>
        }
      />
      <LinkedComponents configId={configId} />
      {found.isCut && (
        <p className="shrink-0 border-b border-line bg-sunken px-4 py-1.5 text-xs text-muted">
          Only the {plural(answerLimit, 'nearest item')} are shown. Narrow the filters to see others.
        </p>
      )}
      <div className="min-h-0 flex-1">
        {filters.view === 'graph' ? (
          found.error && !around ? (
            <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
          ) : !around ? (
            <Skeleton className="h-full w-full rounded-md opacity-40" />
          ) : around.items.size === 1 ? (
            empty
          ) : (
            <RelationsGraph around={around} isSoft={found.isSoft} viewKey={JSON.stringify(question)} />
          )
        ) : (
          <DataTable
            id="config-relationships"
            label="Related catalog items"
            columns={relationColumns}
            rows={rows}
            rowId={(row) => row.id}
            error={around ? undefined : found.error}
            onRetry={() => void found.refetch()}
            isFetching={found.isFetching}
            sort={filters.sort}
            onSortChange={(sort) => setFilters({ sort })}
            sortLast={(row) => !!row.deleted_at}
            rowClassName={(row) => (row.deleted_at ? 'text-subtle' : undefined)}
            onRowClick={(row, { newTab }) =>
              newTab ? window.open(paths.config(row.id), '_blank') : void navigate(paths.config(row.id))
            }
            rowHeight={37}
            overscan={20}
            empty={empty}
          />
        )}
      </div>
    </div>
  )
}

const nearestFirst = (a: RelationRow, b: RelationRow) =>
  a.standing.distance - b.standing.distance || naturalOrder(a.type, b.type) || naturalOrder(a.name, b.name)

/** `app: web` as pair; of two values of one label the one chosen last holds. */
function splitLabel(pair: string): [string, string] {
  const at = pair.indexOf(': ')
  return [pair.slice(0, at), pair.slice(at + 2)]
}

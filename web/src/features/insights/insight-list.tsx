import { useQuery } from '@tanstack/react-query'
import { Lightbulb, SearchX, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { analysisTypes, insightSeverities, insightStatuses, wordOf } from '@/entities/insight/insight.ts'
import { InsightDialog } from '@/entities/insight/insight-dialog.tsx'
import { useFilters } from '@/lib/use-filters.ts'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import type { Filter } from '@/ui/filter/filters.ts'
import { toOptions } from '@/ui/option.ts'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { ComponentFilter } from './component-filter.tsx'
import { insightColumns, itemInsightColumns } from './insight-columns.tsx'
import { insightFilters, narrowing } from './insights.filters.ts'
import { analyzersQuery, configTypesQuery, insightsQuery } from './insights.queries.ts'

const typeOptions = toOptions(analysisTypes, wordOf)
const severityOptions = toOptions(insightSeverities, wordOf)
const statusOptions = toOptions(insightStatuses, wordOf)

/** Insights of the whole catalog, of a component, or of one item: filters, pages, details behind a click. */
export function InsightList({ configId, actions }: { configId?: string; actions?: ReactNode }) {
  const [filters, setFilters] = useFilters(insightFilters)
  const [wants, setWants] = useState({ analyzers: false, types: false })
  const analyzers = useQuery({ ...analyzersQuery, enabled: wants.analyzers })
  const types = useQuery({ ...configTypesQuery, enabled: wants.types })
  const { status, severity, type, analyzer, pageIndex, pageSize, sort } = filters
  const shared = { status, severity, type, analyzer, pageIndex, pageSize, sort }
  const list = configId
    ? { ...shared, configId }
    : { ...shared, configType: filters.configType, component: filters.component }
  const { data, error, isFetching, refetch } = useQuery(insightsQuery(list))
  // Another filter starts at its first page.
  const change = (next: Partial<typeof filters>) => setFilters({ pageIndex: 0, ...next })
  const used = configId ? narrowing.filter((name) => name !== 'configType' && name !== 'component') : narrowing
  const isNarrowed = insightFilters.countActive(filters, used) > 0
  const columns = configId ? itemInsightColumns : insightColumns
  const tableId = configId ? 'config-insights' : 'insights'
  const one = (
    label: string,
    name: 'status' | 'severity' | 'type' | 'analyzer' | 'configType',
    more: Pick<Extract<Filter, { kind: 'one' }>, 'options' | 'onOpen'>,
  ): Filter => ({
    kind: 'one',
    label,
    value: filters[name],
    onChange: (value) => change({ [name]: value ?? '' }),
    ...more,
  })
  return (
    <div className="flex h-full min-h-0 flex-col">
      <FilterBar
        className="shrink-0 border-b border-line bg-surface px-4 py-2"
        isActive={isNarrowed}
        onClear={() => change(Object.fromEntries(used.map((name) => [name, ''])))}
        filters={[
          one('Type', 'type', { options: typeOptions }),
          one('Severity', 'severity', { options: severityOptions }),
          one('Analyzer', 'analyzer', {
            options: analyzers.data && toOptions(analyzers.data.map((row) => row.analyzer)),
            onOpen: () => setWants((now) => ({ ...now, analyzers: true })),
          }),
          one('Status', 'status', { options: statusOptions }),
          ...(configId
            ? []
            : [
                one('Config type', 'configType', {
                  options: types.data && toOptions(types.data.map((row) => row.type)),
                  onOpen: () => setWants((now) => ({ ...now, types: true })),
                }),
                {
                  kind: 'element' as const,
                  label: 'Component',
                  element: (
                    <ComponentFilter value={filters.component} onChange={(component) => change({ component })} />
                  ),
                },
              ]),
        ]}
        actions={
          <>
            {actions}
            <ColumnsMenu tableId={tableId} columns={columns} />
          </>
        }
      />
      <div className="min-h-0 flex-1">
        <DataTable
          id={tableId}
          label="Insights"
          columns={columns}
          // The failure itself is told by a toast.
          rows={data?.data ?? (error ? [] : undefined)}
          rowId={(insight) => insight.id}
          isFetching={isFetching}
          serverSort
          sort={sort}
          onSortChange={(next) => change({ sort: next ?? insightFilters.defaults.sort })}
          onRowClick={(insight) => setFilters({ insight: insight.id }, { push: true })}
          rowClassName={(insight) => (insight.status === 'open' || !insight.status ? undefined : 'text-muted')}
          pagination={{
            pageIndex,
            pageSize,
            total: data?.totalEntries ?? data?.data.length ?? 0,
            onChange: setFilters,
          }}
          empty={
            error && !data ? (
              <EmptyState
                icon={TriangleAlert}
                title="Insights could not be loaded"
                action={<Button onClick={() => void refetch()}>Try again</Button>}
              />
            ) : isNarrowed ? (
              <EmptyState icon={SearchX} title="No insight matches these filters" />
            ) : (
              <EmptyState icon={Lightbulb} title="No insights">
                Scrapers report here what they find out about catalog items: weaknesses, costs, risks and advice.
              </EmptyState>
            )
          }
        />
      </div>
      {filters.insight && <InsightDialog id={filters.insight} onClose={() => setFilters({ insight: undefined })} />}
    </div>
  )
}

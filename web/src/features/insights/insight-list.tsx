import { useQuery } from '@tanstack/react-query'
import { Lightbulb, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOnDemand } from '@/api/use-on-demand.ts'
import { analysisTypes, insightSeverities, insightStatuses, wordOf } from '@/entities/insight/insight.ts'
import { InsightDialog } from '@/entities/insight/insight-dialog.tsx'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ListPage } from '@/ui/list/list-page.tsx'
import { useList } from '@/ui/list/use-list.ts'
import { toOptions } from '@/ui/option.ts'
import { ComponentFilter } from './component-filter.tsx'
import { insightColumns, itemInsightColumns } from './insight-columns.tsx'
import { insightFilters, itemNarrowing, narrowing } from './insights.filters.ts'
import { analyzersQuery, configTypesQuery, insightsQuery } from './insights.queries.ts'

const typeOptions = toOptions(analysisTypes, wordOf)
const severityOptions = toOptions(insightSeverities, wordOf)
const statusOptions = toOptions(insightStatuses, wordOf)

/** Insights of the whole catalog, of a component, or of one item: filters, pages, details behind a click. */
export function InsightList({ configId, actions }: { configId?: string; actions?: ReactNode }) {
  const list = useList(insightFilters, configId ? itemNarrowing : narrowing)
  const { insight: opened, configType, component, ...shared } = list.values
  const [analyzers, wantAnalyzers] = useOnDemand(analyzersQuery)
  const [types, wantTypes] = useOnDemand(configTypesQuery)
  const insights = useQuery(insightsQuery(configId ? { ...shared, configId } : { ...shared, configType, component }))
  const { data, error } = insights
  // The failure itself is told by a toast.
  const failed = error && !data && (
    <EmptyState
      icon={TriangleAlert}
      title="Insights could not be loaded"
      action={<Button onClick={() => void insights.refetch()}>Try again</Button>}
    />
  )
  return (
    <ListPage
      id={configId ? 'config-insights' : 'insights'}
      label="Insights"
      noun="insight"
      list={list}
      query={insights}
      rows={failed ? [] : data?.data}
      total={data?.totalEntries}
      columns={configId ? itemInsightColumns : insightColumns}
      rowId={(insight) => insight.id}
      onRowClick={(insight) => list.set({ insight: insight.id }, { push: true })}
      rowClassName={(insight) => (insight.status === 'open' || !insight.status ? undefined : 'text-muted')}
      filters={[
        list.one('type', { label: 'Type', options: typeOptions }),
        list.one('severity', { label: 'Severity', options: severityOptions }),
        list.one('analyzer', {
          label: 'Analyzer',
          options: analyzers && toOptions(analyzers.map((row) => row.analyzer)),
          onOpen: wantAnalyzers,
        }),
        list.one('status', { label: 'Status', options: statusOptions }),
        ...(configId
          ? []
          : [
              list.one('configType', {
                label: 'Config type',
                options: types && toOptions(types.map((row) => row.type)),
                onOpen: wantTypes,
              }),
              {
                kind: 'element' as const,
                label: 'Component',
                element: <ComponentFilter value={component} onChange={(id) => list.change({ component: id })} />,
              },
            ]),
      ]}
      tools={['columns']}
      actions={actions}
      noMatch={failed || undefined}
      empty={
        failed || (
          <EmptyState icon={Lightbulb} title="No insights">
            Scrapers report here what they find out about catalog items: weaknesses, costs, risks and advice.
          </EmptyState>
        )
      }
    >
      {opened && <InsightDialog id={opened} onClose={() => list.set({ insight: undefined })} />}
    </ListPage>
  )
}

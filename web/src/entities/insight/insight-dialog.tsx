import { queryOptions, useQuery } from '@tanstack/react-query'
import { from } from '@/api/data-api.ts'
import { ConfigLink } from '@/entities/resource-link.tsx'
import { truncate } from '@/lib/format.ts'
import { DateTime } from '@/ui/age.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { JsonView } from '@/ui/json-view.tsx'
import { KeyValueList } from '@/ui/key-value.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { SafeHtml } from '@/ui/text/safe-html.tsx'
import { analysisLength, type Insight, wordOf } from './insight.ts'
import { AnalysisType, SeverityBadge } from './insight-marks.tsx'

/** One insight with everything its analyzer said. */
const insightQuery = (id: string) =>
  queryOptions({
    queryKey: ['catalog', 'insight', id],
    queryFn: ({ signal }) =>
      from<Insight>('config_analysis')
        .select(
          'id,config_id,source,analyzer,analysis_type,message,severity,status,analysis,first_observed,last_observed,' +
            'config:configs(id,name,config_class,type)',
        )
        .eq('id', id)
        .first({ signal }),
    meta: { relations: ['config_analysis'], quiet: true },
  })

/** The details of an insight over the page it was chosen on. */
export function InsightDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending, refetch } = useQuery(insightQuery(id))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="medium"
      title={data?.analyzer ?? 'Insight'}
      description={data?.config ? `Found on ${data.config.name}` : undefined}
    >
      {error && !data && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <SkeletonLines lines={6} />}
      {data === null && (
        <EmptyState title="Insight not found">It may have been removed since the list was read.</EmptyState>
      )}
      {data && <InsightDetails insight={data} />}
    </Dialog>
  )
}

function InsightDetails({ insight }: { insight: Insight }) {
  const { analysis } = insight
  const isText = typeof analysis === 'string'
  const hasAnalysis = isText
    ? analysis !== ''
    : typeof analysis === 'object' && analysis !== null && Object.keys(analysis).length > 0
  return (
    <div className="flex flex-col gap-5">
      <KeyValueList
        items={[
          insight.config && ['Catalog item', <ConfigLink key="config" config={insight.config} />],
          ['Type', <AnalysisType key="type" type={insight.analysis_type} />],
          ['Severity', <SeverityBadge key="severity" severity={insight.severity} />],
          !!insight.status && ['Status', wordOf(insight.status)],
          ['First observed', <DateTime key="first" value={insight.first_observed} />],
          !!insight.last_observed && ['Last observed', <DateTime key="last" value={insight.last_observed} />],
          !!insight.source && ['Source', insight.source],
        ]}
      />
      {insight.message && (
        <section aria-label="Message">
          <h3 className="mb-1 text-sm font-semibold">Message</h3>
          <SafeHtml html={insight.message} />
        </section>
      )}
      {hasAnalysis && (
        <section aria-label="Analysis">
          <h3 className="mb-1 text-sm font-semibold">Analysis</h3>
          {isText ? (
            <p className="text-sm break-words whitespace-pre-wrap">{truncate(analysis, analysisLength)}</p>
          ) : (
            <JsonView value={analysis} openDepth={2} className="max-h-96 overflow-y-auto" />
          )}
        </section>
      )}
    </div>
  )
}

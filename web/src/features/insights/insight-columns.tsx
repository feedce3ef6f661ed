import { analysisLength, type Insight, wordOf } from '@/entities/insight/insight.ts'
import { AnalysisType, SeverityBadge } from '@/entities/insight/insight-marks.tsx'
import { ConfigLink } from '@/entities/resource-link.tsx'
import { truncate } from '@/lib/format.ts'
import { Age } from '@/ui/age.tsx'
import type { Column } from '@/ui/table/column.ts'
import { htmlToText } from '@/ui/text/safe-html.tsx'

/** The message of an insight in one line of at most 500 characters. */
export const analysisText = (insight: Insight) => truncate(htmlToText(insight.message ?? ''), analysisLength)

const item: Column<Insight> = {
  id: 'config',
  header: 'Catalog',
  size: 196,
  required: true,
  // A click on the name leaves the list; elsewhere on the row it opens the insight.
  cell: ({ config }) => config && <ConfigLink config={config} className="flex w-fit" />,
}

const rest: Column<Insight>[] = [
  { id: 'type', header: 'Type', size: 165, cell: (insight) => <AnalysisType type={insight.analysis_type} /> },
  {
    id: 'analyzer',
    header: 'Analyzer',
    size: 164,
    required: true,
    cell: ({ analyzer }) => (
      <span title={analyzer} className="block truncate font-medium">
        {analyzer}
      </span>
    ),
  },
  {
    id: 'analysis',
    header: 'Analysis',
    grow: true,
    minSize: 180,
    cell: (insight) => {
      const text = analysisText(insight)
      return (
        <span title={text} className="block truncate text-muted">
          {text}
        </span>
      )
    },
  },
  { id: 'severity', header: 'Severity', size: 90, cell: (insight) => <SeverityBadge severity={insight.severity} /> },
  { id: 'status', header: 'Status', size: 90, cell: ({ status }) => status && wordOf(status) },
  {
    id: 'first_observed',
    header: 'First observed',
    size: 138,
    align: 'right',
    sortable: true,
    cell: (insight) => <Age value={insight.first_observed} />,
  },
  {
    id: 'last_observed',
    header: 'Last observed',
    size: 138,
    align: 'right',
    sortable: true,
    cell: (insight) => <Age value={insight.last_observed} />,
  },
]

export const insightColumns: Column<Insight>[] = [item, ...rest]
/** On the page of one item its name says nothing. */
export const itemInsightColumns: Column<Insight>[] = rest

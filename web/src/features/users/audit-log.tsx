import type { AuditRow } from '@quarterdeck/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { Button } from '@/ui/button.tsx'
import { DateTime } from '@/ui/age.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ListPage, NoMatch } from '@/ui/list/list-page.tsx'
import { timeRangeFilter } from '@/ui/list/time-range-filter.tsx'
import { useList } from '@/ui/list/use-list.ts'
import { Status } from '@/ui/status.tsx'
import type { Column } from '@/ui/table/column.ts'
import { auditQuery, auditWord, auditWords, useAuditExport } from './audit.queries.ts'
import { auditFilters } from './users.filters.ts'

const actions = Object.entries(auditWords).map(([value, label]) => ({ value, label }))
const outcomes = [
  { value: 'success', label: 'Success' },
  { value: 'failure', label: 'Failure' },
]

const columns: Column<AuditRow>[] = [
  { id: 'at', header: 'When', size: 150, required: true, cell: (row) => <DateTime value={row.at} /> },
  { id: 'actor', header: 'Who', size: 150, cell: (row) => row.actor_name ?? <span className="text-subtle">–</span> },
  { id: 'action', header: 'What', size: 180, cell: (row) => auditWord(row.action) },
  {
    id: 'object',
    header: 'About',
    size: 190,
    cell: (row) => (
      <span title={[row.object_type, row.object_id].filter(Boolean).join(' ')}>{row.object_name ?? row.object_id}</span>
    ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    size: 95,
    cell: (row) => <Status health={row.outcome === 'failure' ? 'unhealthy' : 'healthy'}>{row.outcome}</Status>,
  },
  { id: 'ip', header: 'From', size: 115, cell: (row) => <span title={row.user_agent ?? undefined}>{row.ip}</span> },
  {
    id: 'details',
    header: 'Details',
    grow: true,
    minSize: 160,
    cell: (row) => {
      const text = detailsText(row.details)
      return (
        <span className="text-muted" title={text}>
          {text}
        </span>
      )
    },
  },
]

/** `{from: ["viewer"], to: ["admin"]}` → `from viewer, to admin`. */
export function detailsText(details: AuditRow['details']): string {
  const word = (value: unknown) =>
    Array.isArray(value) ? value.join(' ') || 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return Object.entries(details ?? {})
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${word(value)}`)
    .join(', ')
}

const narrowing = ['query', 'action', 'outcome', 'range'] as const

/** Who did what: sign-ins and every administrative act. It can only be added to. */
export function AuditLog() {
  const list = useList(auditFilters, narrowing)
  const { query: search, ...filters } = list.values
  const asked = { search, ...filters }
  const audit = useQuery(auditQuery(asked))
  const save = useAuditExport()
  return (
    <ListPage
      id="audit"
      label="Audit log"
      noun="entry"
      list={list}
      query={audit}
      rows={audit.data?.rows}
      total={audit.data?.total}
      columns={columns}
      rowId={(row) => row.id}
      search="Search the audit log"
      filters={[
        list.many('action', { label: 'What', options: actions }),
        list.one('outcome', { label: 'Outcome', options: outcomes }),
        timeRangeFilter(list, undefined),
      ]}
      tools={[]}
      actions={
        <Button icon={Download} loading={save.isPending} onClick={() => save.mutate(asked)}>
          Export CSV
        </Button>
      }
      noMatch={<NoMatch>Nothing in the audit log matches</NoMatch>}
      empty={<EmptyState icon={ScrollText} title="The audit log is empty" />}
    />
  )
}

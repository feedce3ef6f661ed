import { useMemo, useState } from 'react'
import { Age } from '../age.tsx'
import { Badge } from '../badge.tsx'
import { Millis, Percent } from '../figures.tsx'
import { MiddleText } from '../middle-text.tsx'
import { Segmented } from '../segmented.tsx'
import { Status } from '../status.tsx'
import type { Column } from '../table/column.ts'
import { ColumnsMenu } from '../table/columns-menu.tsx'
import { DataTable } from '../table/data-table.tsx'
import { TagList } from '../tag-list.tsx'

interface Check {
  id: string
  name: string
  status: string
  uptime: number
  latency: number
  type: string
  updated: number
  tags: Record<string, string>
  children?: Check[]
}

const states = ['healthy', 'healthy', 'healthy', 'warning', 'unhealthy', 'unknown']
const make = (i: number): Check => ({
  id: `check-${i}`,
  name: `${['checkout', 'payments', 'search', 'login'][i % 4]}-service-${(i * 7919) % 99991}-deployment-7d9f8b6c5d`,
  status: states[i % states.length]!,
  uptime: 100 - (i % 13),
  latency: (i * 37) % 4000,
  type: ['http', 'postgres', 'dns', 'exec'][i % 4]!,
  updated: Date.now() - i * 61_000,
  tags: { namespace: ['shop', 'core', 'data'][i % 3]!, app: `app-${i % 20}`, region: 'eu', tier: 'front' },
})

const columns: Column<Check>[] = [
  {
    id: 'name',
    header: 'Checks',
    cell: (c) => <MiddleText text={c.name} />,
    value: (c) => c.name,
    grow: true,
    minSize: 220,
    required: true,
  },
  { id: 'status', header: 'Health', cell: (c) => <Status status={c.status} />, value: (c) => c.status, size: 120 },
  { id: 'type', header: 'Type', cell: (c) => <Badge>{c.type}</Badge>, value: (c) => c.type, size: 110 },
  {
    id: 'uptime',
    header: 'Uptime',
    cell: (c) => <Percent percent={c.uptime} />,
    value: (c) => c.uptime,
    size: 100,
    align: 'right',
  },
  {
    id: 'latency',
    header: 'Latency',
    cell: (c) => <Millis ms={c.latency} />,
    value: (c) => c.latency,
    size: 100,
    align: 'right',
  },
  { id: 'tags', header: 'Tags', cell: (c) => <TagList tags={c.tags} max={2} />, size: 280 },
  {
    id: 'updated',
    header: 'Updated',
    cell: (c) => <Age value={c.updated} />,
    value: (c) => c.updated,
    size: 100,
    align: 'right',
  },
]

const kinds = ['10k', '100k', 'paged', 'tree', 'loading', 'empty', 'error'] as const

export function Tables() {
  const [kind, setKind] = useState<(typeof kinds)[number]>(
    (new URLSearchParams(location.search).get('kind') as never) ?? '10k',
  )
  const [page, setPage] = useState({ pageIndex: 0, pageSize: 50 })
  const [selected, setSelected] = useState<string>()
  const rows = useMemo(() => {
    if (kind === 'loading' || kind === 'error') return undefined
    if (kind === 'empty') return []
    if (kind === 'tree')
      return Array.from({ length: 30 }, (_, i): Check => ({
        ...make(i),
        id: `group-${i}`,
        name: `canary-${i}`,
        children: Array.from({ length: 8 }, (__, j) => make(i * 8 + j)),
      }))
    return Array.from({ length: kind === '100k' ? 100_000 : kind === 'paged' ? 1234 : 10_000 }, (_, i) => make(i))
  }, [kind])
  return (
    <div className="flex h-full flex-col gap-3">
      <div className="flex items-center gap-2">
        <Segmented
          aria-label="Kind"
          value={kind}
          onChange={setKind}
          options={kinds.map((value) => ({ value, label: value }))}
        />
        <ColumnsMenu tableId="gallery" columns={columns} />
      </div>
      <div className="min-h-0 flex-1 overflow-hidden rounded-lg border border-line">
        <DataTable
          key={kind}
          id="gallery"
          label="Checks"
          columns={columns}
          rows={rows}
          rowId={(check) => check.id}
          error={kind === 'error' ? new Error('permission denied for relation checks') : undefined}
          onRetry={() => undefined}
          subRows={kind === 'tree' ? (check) => check.children : undefined}
          pagination={kind === 'paged' ? { ...page, onChange: setPage } : undefined}
          onRowClick={(check) => setSelected(check.id)}
          selectedId={selected}
        />
      </div>
    </div>
  )
}

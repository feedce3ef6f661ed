import { useNavigate } from 'react-router'
import { paths } from '@/app/paths.ts'
import { Icon } from '@/ui/icons/icon.tsx'
import type { Column } from '@/ui/table/column.ts'
import { DataTable } from '@/ui/table/data-table.tsx'
import type { CheckDetail } from './check.queries.ts'

interface Relation {
  id: string
  name: string
  type: string
  icon: string
  to: string
}

/** Catalog items and components a check is about, without those that are gone. */
export function relationsOf(check: Pick<CheckDetail, 'configs' | 'components'>): Relation[] {
  const configs = check.configs.flatMap(({ configs: item }) =>
    item ? [{ id: item.id, name: item.name, type: item.type, icon: item.type, to: paths.config(item.id) }] : [],
  )
  const components = check.components.flatMap(({ components: item }) =>
    item
      ? [
          {
            id: item.id,
            name: item.name,
            type: 'Component',
            icon: item.icon ?? 'component',
            to: paths.component(item.id),
          },
        ]
      : [],
  )
  return [...new Map([...configs, ...components].map((relation) => [relation.id, relation])).values()]
}

const columns: Column<Relation>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    minSize: 160,
    required: true,
    value: (row) => row.name,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <Icon name={row.icon} />
        <span className="truncate">{row.name}</span>
      </span>
    ),
  },
  { id: 'type', header: 'Type', size: 220, value: (row) => row.type, cell: (row) => row.type },
]

export function RelationshipsTab({ relations }: { relations: readonly Relation[] }) {
  const navigate = useNavigate()
  return (
    <DataTable
      id="check-relationships"
      label="Related items"
      columns={columns}
      rows={relations}
      rowId={(row) => row.id}
      onRowClick={(row) => void navigate(row.to)}
    />
  )
}

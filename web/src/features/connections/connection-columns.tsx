import { connectionKind } from '@quarterdeck/contract/connections/index'
import { PersonAvatar } from '@/entities/person-avatar.tsx'
import { Age } from '@/ui/age.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { MiddleText } from '@/ui/middle-text.tsx'
import type { Column } from '@/ui/table/column.ts'
import type { Connection } from './connections.queries.ts'

/** The name people know a type by. */
const typeLabel = (type: string): string => connectionKind(type)?.label ?? type

/** The icon of a type. */
export function TypeIcon({ type, size = 16 }: { type: string; size?: number }) {
  return <Icon name={connectionKind(type)?.icon ?? type} fallback="connection" size={size} />
}

const age = (id: 'created_at' | 'updated_at', header: string): Column<Connection> => ({
  id,
  header,
  size: 110,
  align: 'right',
  sortable: true,
  cell: (row) => <Age value={row[id]} />,
})

export const connectionColumns: Column<Connection>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    minSize: 220,
    required: true,
    sortable: true,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <TypeIcon type={row.type} />
        <MiddleText text={row.name} className="font-medium" />
      </span>
    ),
  },
  {
    id: 'namespace',
    header: 'Namespace',
    size: 160,
    sortable: true,
    cell: (row) => <span className="truncate text-muted">{row.namespace}</span>,
  },
  { id: 'type', header: 'Type', size: 150, sortable: true, cell: (row) => typeLabel(row.type) },
  {
    id: 'created_by',
    header: 'Created By',
    size: 180,
    cell: (row) => <PersonAvatar person={row.created_by} size={20} withName />,
  },
  age('created_at', 'Created'),
  age('updated_at', 'Updated'),
]

import { Lock } from 'lucide-react'
import { Age } from '@/ui/age.tsx'
import { Avatar } from '@/ui/avatar.tsx'
import { Badge } from '@/ui/badge.tsx'
import type { Column } from '@/ui/table/column.ts'
import { effectOf } from './flag-effect.ts'
import type { Flag } from './feature-flags.queries.ts'

export const flagColumns: Column<Flag>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (flag) => flag.name,
    cell: (flag) => <span className="font-mono text-xs">{flag.name}</span>,
    size: 280,
    required: true,
  },
  {
    id: 'value',
    header: 'Value',
    value: (flag) => flag.value,
    cell: (flag) => <span className="font-mono text-xs">{flag.value}</span>,
    size: 140,
  },
  {
    id: 'effect',
    header: 'Effect',
    value: (flag) => effectOf(flag.name, flag.value) ?? flag.description,
    cell: (flag) => <span className="text-muted">{effectOf(flag.name, flag.value) ?? flag.description}</span>,
    grow: true,
    minSize: 220,
  },
  {
    id: 'source',
    header: 'Source',
    value: (flag) => flag.source,
    cell: (flag) =>
      flag.source === 'local' ? (
        <Badge title="From the server's own properties file; it cannot be changed here">
          <Lock size={11} aria-hidden />
          local
        </Badge>
      ) : (
        <Badge>db</Badge>
      ),
    size: 100,
  },
  {
    id: 'created_by',
    header: 'Created By',
    value: (flag) => flag.created_by?.name,
    cell: ({ created_by: person }) =>
      person && (
        <span className="flex items-center gap-2">
          <Avatar name={person.name} src={person.avatar} size={20} />
          <span className="truncate">{person.name}</span>
        </span>
      ),
    size: 160,
  },
  {
    id: 'updated_at',
    header: 'Updated',
    value: (flag) => flag.updated_at,
    cell: (flag) => <Age value={flag.updated_at} />,
    size: 100,
    align: 'right',
  },
]

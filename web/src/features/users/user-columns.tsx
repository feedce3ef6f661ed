import { Age } from '@/ui/age.tsx'
import { Avatar } from '@/ui/avatar.tsx'
import { Badge } from '@/ui/badge.tsx'
import { Status } from '@/ui/status.tsx'
import type { Column } from '@/ui/table/column.ts'
import { UserMenu, type UserActions } from './user-menu.tsx'
import type { User } from './users.queries.ts'

export const userColumns = (actions: UserActions | undefined): Column<User>[] => [
  {
    id: 'name',
    header: 'Name',
    size: 220,
    required: true,
    sortable: true,
    cell: (user) => (
      <span className="flex min-w-0 items-center gap-2">
        <Avatar name={user.name} size={22} />
        <span className="truncate font-medium" title={user.name}>
          {user.name}
        </span>
      </span>
    ),
  },
  {
    id: 'roles',
    header: 'Roles',
    size: 160,
    cell: (user) =>
      user.roles.length === 0 ? (
        <span className="text-subtle" title="Everybody without a role is a viewer">
          viewer
        </span>
      ) : (
        <span className="flex gap-1">
          {user.roles.map((role) => (
            <Badge key={role} tone={role === 'admin' ? 'accent' : 'neutral'}>
              {role}
            </Badge>
          ))}
        </span>
      ),
  },
  { id: 'email', header: 'Email', grow: true, minSize: 200, sortable: true, cell: (user) => user.email },
  {
    id: 'state',
    header: 'State',
    size: 110,
    sortable: true,
    cell: (user) => <Status health={user.state === 'active' ? 'healthy' : 'unknown'}>{user.state ?? 'unknown'}</Status>,
  },
  {
    id: 'created_at',
    header: 'Created',
    size: 90,
    align: 'right',
    sortable: true,
    cell: (user) => <Age value={user.created_at} />,
  },
  ...(actions
    ? [
        {
          id: 'actions',
          header: 'Actions',
          size: 84,
          required: true,
          cell: (user: User) => <UserMenu user={user} actions={actions} />,
        },
      ]
    : []),
]

import { useQuery } from '@tanstack/react-query'
import { UserMinus, UserPlus, UsersRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useCan } from '@/api/access.tsx'
import type { Person } from '@/entities/people.ts'
import { PersonAvatar } from '@/entities/person-avatar.tsx'
import { plural } from '@/lib/format.ts'
import { Button } from '@/ui/button.tsx'
import { CopyText } from '@/ui/copy-button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import type { Column } from '@/ui/table/column.ts'
import { DataTable } from '@/ui/table/data-table.tsx'
import { AddMembersDialog } from './add-members-dialog.tsx'
import { memberPageSize, membersQuery, type Team, useRemoveMember } from './teams.queries.ts'

const columns: Column<Person>[] = [
  {
    id: 'name',
    header: 'Name',
    size: 260,
    required: true,
    cell: (person) => <PersonAvatar person={person} withName className="font-medium" />,
  },
  { id: 'email', header: 'Email', grow: true, minSize: 200, cell: (person) => person.email },
  {
    id: 'id',
    header: 'ID',
    size: 310,
    cell: (person) => <CopyText text={person.id} className="font-mono text-xs text-muted" />,
  },
]

const columnsWith = (remove: (person: Person) => void, leaving: string | undefined): Column<Person>[] => [
  ...columns,
  {
    id: 'remove',
    header: 'Remove',
    size: 90,
    required: true,
    cell: (person) => (
      <IconButton
        icon={UserMinus}
        label={`Remove ${person.name} from the team`}
        size="sm"
        variant="ghost"
        loading={leaving === person.id}
        onClick={() => remove(person)}
      />
    ),
  },
]

export function TeamMembers({ team }: { team: Pick<Team, 'id' | 'name'> }) {
  const canWrite = useCan('write', 'database')
  const [pageIndex, setPageIndex] = useState(0)
  const [isAdding, setAdding] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(membersQuery(team.id, pageIndex))
  const { mutate: remove, variables, isPending } = useRemoveMember(team.id)
  const leaving = isPending ? variables?.id : undefined
  const shown = useMemo(() => (canWrite ? columnsWith(remove, leaving) : columns), [canWrite, remove, leaving])
  const add = canWrite && (
    <Button variant="primary" icon={UserPlus} onClick={() => setAdding(true)}>
      Add users
    </Button>
  )
  return (
    <div className="flex h-full flex-col">
      <div className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line bg-surface px-4 py-2 text-sm text-muted">
        {data && data.total > 0 && plural(data.total, 'member')}
        <span className="flex-1" />
        {data && data.total > 0 && add}
      </div>
      <div className="min-h-0 flex-1">
        <DataTable
          id="team-members"
          label="Members"
          columns={shown}
          rows={data?.people}
          rowId={(person) => person.id}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          serverSort
          pagination={
            data && (data.total > memberPageSize || pageIndex > 0)
              ? {
                  pageIndex,
                  pageSize: memberPageSize,
                  total: data.total,
                  sizes: [memberPageSize],
                  onChange: (page) => setPageIndex(page.pageIndex),
                }
              : undefined
          }
          empty={
            <EmptyState icon={UsersRound} title="You haven't added any team members to the team yet" action={add} />
          }
        />
      </div>
      {isAdding && <AddMembersDialog team={team} onClose={() => setAdding(false)} />}
    </div>
  )
}

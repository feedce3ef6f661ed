import { useQuery } from '@tanstack/react-query'
import { Plus, RefreshCw, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useCan } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { number, searchParams, sorting, text } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { AddTeamDialog } from './add-team-dialog.tsx'
import { teamColumns } from './team-columns.tsx'
import { listPageSize, teamsListQuery } from './teams.queries.ts'

const filters = searchParams({
  query: text(''),
  sort: sorting({ id: 'created_at', desc: true }),
  pageIndex: number(0, { min: 0 }),
})

/** Groups of people who answer incidents and receive notifications together. */
export function TeamsPage() {
  const navigate = useNavigate()
  const canWrite = useCan('write', 'database')
  const [{ query, sort, pageIndex }, setFilters] = useFilters(filters)
  const [isAdding, setAdding] = useState(false)
  const { data, error, isFetching, refetch } = useQuery(teamsListQuery({ search: query, sort, pageIndex }))
  const total = data?.totalEntries ?? data?.data.length ?? 0
  const add = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add Team
    </Button>
  )
  return (
    <div className="flex h-full flex-col">
      <FilterBar
        className="shrink-0 border-b border-line bg-surface px-4 py-2"
        search={{
          value: query,
          onChange: (words) => setFilters({ query: words, pageIndex: 0 }),
          placeholder: 'Search teams',
        }}
        actions={
          <>
            <IconButton icon={RefreshCw} label="Refresh" onClick={() => void refetch()} />
            <ColumnsMenu tableId="teams" columns={teamColumns} />
            {add}
          </>
        }
      />
      <div className="min-h-0 flex-1">
        <DataTable
          id="teams"
          label="Teams"
          columns={teamColumns}
          rows={data?.data}
          rowId={(team) => team.id}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          serverSort
          sort={sort}
          onSortChange={(next) => setFilters({ sort: next, pageIndex: 0 })}
          onRowClick={(team) => void navigate(paths.settingsItem('teams', team.id))}
          pagination={
            total > listPageSize || pageIndex > 0
              ? {
                  pageIndex,
                  pageSize: listPageSize,
                  total,
                  sizes: [listPageSize],
                  onChange: (page) => setFilters({ pageIndex: page.pageIndex }),
                }
              : undefined
          }
          empty={
            query === '' ? (
              <EmptyState icon={UsersRound} title="No teams yet" action={add}>
                A team groups people, so that incidents and notifications can go to all of them.
              </EmptyState>
            ) : (
              <EmptyState title={`No team matches “${query}”`} />
            )
          }
        />
      </div>
      {isAdding && <AddTeamDialog onClose={() => setAdding(false)} />}
    </div>
  )
}

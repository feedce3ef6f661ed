import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { useAccess } from '@/api/access.tsx'
import { searchParams, text } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { jobListColumns } from './job-list-columns.tsx'
import { jobListQuery, useRunJob } from './job-list.queries.ts'

const filters = searchParams({ query: text('') })

/** Every job of the server: when it runs, how its last runs went, and a way to run it now. */
export function JobListPage() {
  const { roles } = useAccess()
  const [{ query }, setFilters] = useFilters(filters)
  const { data, error, isFetching, refetch } = useQuery(jobListQuery)
  const { mutate: run } = useRunJob()
  const canRun = roles.includes('admin')
  const columns = useMemo(() => jobListColumns(canRun ? run : undefined), [canRun, run])
  const words = query.trim().toLowerCase()
  return (
    <div className="flex h-full flex-col">
      <FilterBar
        className="shrink-0 border-b border-line bg-surface px-4 py-2"
        search={{ value: query, onChange: (next) => setFilters({ query: next }), placeholder: 'Search jobs' }}
        actions={
          <>
            <IconButton icon={RefreshCw} label="Refresh" onClick={() => void refetch()} />
            <ColumnsMenu tableId="job-list" columns={columns} />
          </>
        }
      />
      <div className="min-h-0 flex-1">
        <DataTable
          id="job-list"
          label="Jobs"
          columns={columns}
          rows={data?.filter(({ name }) => name.toLowerCase().includes(words))}
          rowId={(job) => job.key}
          error={data ? undefined : error}
          onRetry={() => void refetch()}
          isFetching={isFetching}
          empty={<EmptyState title={words ? `No job matches “${query}”` : 'This server has no jobs'} />}
        />
      </div>
    </div>
  )
}

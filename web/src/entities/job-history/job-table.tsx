import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Sorting } from '@/lib/search-params.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import type { Page } from '@/ui/table/pagination.tsx'
import { detailsTabs, type Job } from './job.ts'
import { jobColumns, resourceJobColumns } from './job-columns.tsx'
import { JobDetailsDialog } from './job-details-dialog.tsx'
import { jobRowsQuery, type JobList, jobsQuery } from './job-history.queries.ts'

/** A page of runs with their details behind a click; the caller keeps page and order. */
export function JobTable({
  id,
  list,
  onPage,
  onSort,
  empty,
}: {
  id: string
  list: JobList
  onPage: (page: Page) => void
  onSort: (sort: Sorting | undefined) => void
  empty?: ReactNode
}) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(jobsQuery(list))
  // The rows are there before their total; of one resource there are few, so that one answer is enough.
  const isCounting = isFetching && (!data || isPlaceholderData) && !list.resourceId
  const { data: first } = useQuery({ ...jobRowsQuery(list), enabled: isCounting })
  const rows = isCounting ? (first ?? data?.data) : data?.data
  const [opened, setOpened] = useState<Job>()
  return (
    <>
      <DataTable
        id={id}
        label="Job history"
        columns={list.resourceId ? resourceJobColumns : jobColumns}
        rows={rows}
        rowId={(job) => job.id}
        error={rows ? undefined : error}
        onRetry={() => void refetch()}
        isFetching={isFetching}
        serverSort
        sort={list.sort}
        onSortChange={onSort}
        onRowClick={(job) => detailsTabs(job).length > 0 && setOpened(job)}
        rowClassName={(job) => (detailsTabs(job).length > 0 ? undefined : 'cursor-default')}
        pagination={{
          pageIndex: list.pageIndex,
          pageSize: list.pageSize,
          total: data?.totalEntries ?? rows?.length ?? 0,
          onChange: onPage,
        }}
        empty={
          empty ?? (
            <EmptyState icon={History} title="No runs recorded">
              Every run of a background job leaves a line here, with what it did and what failed.
            </EmptyState>
          )
        }
      />
      {opened && <JobDetailsDialog job={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

/** Rows of a page in the tab of one resource. */
export const resourceJobPageSize = 150

/** The runs about one resource, newest first. */
export function ResourceJobHistory({ id, type }: { id: string; type: string }) {
  const [page, setPage] = useState<Page>({ pageIndex: 0, pageSize: resourceJobPageSize })
  const [sort, setSort] = useState<Sorting>()
  return (
    <JobTable
      id={`${type}-jobs`}
      list={{ ...page, sort, resourceId: id, resourceType: { [type]: 1 } }}
      onPage={setPage}
      onSort={(next) => {
        setSort(next)
        setPage({ ...page, pageIndex: 0 })
      }}
    />
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ListPage, type ListPageProps } from '@/ui/list/list-page.tsx'
import { useOwnList } from '@/ui/list/use-list.ts'
import { detailsTabs, type Job } from './job.ts'
import { jobColumns, resourceJobColumns } from './job-columns.tsx'
import { JobDetailsDialog } from './job-details-dialog.tsx'
import { jobKeys, jobRowsQuery, type JobList, jobsQuery } from './job-history.queries.ts'

type Page = Pick<ListPageProps<Job>, 'id' | 'list' | 'filters' | 'tools' | 'actions'> &
  Partial<Pick<ListPageProps<Job>, 'empty'>>

const nothing = (
  <EmptyState icon={History} title="No runs recorded">
    Every run of a background job leaves a line here, with what it did and what failed.
  </EmptyState>
)

/** A page of runs with their details behind a click; the caller keeps page and order. */
export function JobTable({ asked, empty = nothing, ...page }: Page & { asked: JobList }) {
  const queries = useQueryClient()
  const { data, error, isFetching, isPlaceholderData } = useQuery(jobsQuery(asked))
  // The rows are there before their total; of one resource there are few, so that one answer is enough.
  const isCounting = isFetching && (!data || isPlaceholderData) && !asked.resourceId
  const { data: first } = useQuery({ ...jobRowsQuery(asked), enabled: isCounting })
  const [opened, setOpened] = useState<Job>()
  return (
    <ListPage
      {...page}
      label="Job history"
      noun="run"
      query={{ error, isFetching, refetch: () => queries.invalidateQueries({ queryKey: jobKeys.all }) }}
      rows={isCounting ? (first ?? data?.data) : data?.data}
      total={data?.totalEntries}
      columns={asked.resourceId ? resourceJobColumns : jobColumns}
      rowId={(job) => job.id}
      onRowClick={(job) => detailsTabs(job).length > 0 && setOpened(job)}
      rowClassName={(job) => (detailsTabs(job).length > 0 ? undefined : 'cursor-default')}
      empty={empty}
    >
      {opened && <JobDetailsDialog job={opened} onClose={() => setOpened(undefined)} />}
    </ListPage>
  )
}

/** Rows of a page in the tab of one resource. */
export const resourceJobPageSize = 150

/** The runs about one resource, newest first. */
export function ResourceJobHistory({ id, type }: { id: string; type: string }) {
  const list = useOwnList(resourceJobPageSize)
  return (
    <JobTable
      id={`${type}-jobs`}
      list={list}
      asked={{ ...list.values, resourceId: id, resourceType: { [type]: 1 } }}
      tools={[]}
    />
  )
}

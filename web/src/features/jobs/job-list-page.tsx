import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAccess } from '@/api/access.tsx'
import { searchParams, text } from '@/lib/search-params.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ListPage } from '@/ui/list/list-page.tsx'
import { useList } from '@/ui/list/use-list.ts'
import { jobListColumns } from './job-list-columns.tsx'
import { jobListQuery, useRunJob } from './job-list.queries.ts'

const filters = searchParams({ query: text('') })

/** Every job of the server: when it runs, how its last runs went, and a way to run it now. */
export function JobListPage() {
  const { roles } = useAccess()
  const list = useList(filters)
  const jobs = useQuery(jobListQuery)
  const { mutate: run } = useRunJob()
  const canRun = roles.includes('admin')
  const columns = useMemo(() => jobListColumns(canRun ? run : undefined), [canRun, run])
  const words = list.values.query.trim().toLowerCase()
  return (
    <ListPage
      id="job-list"
      label="Jobs"
      noun="job"
      list={list}
      query={jobs}
      rows={jobs.data?.filter(({ name }) => name.toLowerCase().includes(words))}
      isLocal
      columns={columns}
      rowId={(job) => job.key}
      search="Search jobs"
      empty={<EmptyState title="This server has no jobs" />}
    />
  )
}

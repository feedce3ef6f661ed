import { ChartNoAxesColumn } from 'lucide-react'
import { Link } from 'react-router'
import { useAccess } from '@/api/access.tsx'
import { useOnDemand } from '@/api/use-on-demand.ts'
import { paths } from '@/app/paths.ts'
import { jobStatuses, jobWord } from '@/entities/job-history/job.ts'
import { jobNamesQuery } from '@/entities/job-history/job-history.queries.ts'
import { JobTable } from '@/entities/job-history/job-table.tsx'
import { buttonClass } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { timeRangeFilter } from '@/ui/list/time-range-filter.tsx'
import { useList } from '@/ui/list/use-list.ts'
import { toOptions } from '@/ui/option.ts'
import { jobFilters, resourceTypes, runDurations, runMillis } from './jobs.filters.ts'

const statusOptions = toOptions(jobStatuses, jobWord)
const narrowing = ['name', 'resource_type', 'status', 'runDuration', 'range'] as const

/** Every run of a background job: which, when, how long, and what went wrong. */
export function JobsPage() {
  // Servers of the reference API keep no figures per job.
  const hasStatistics = useAccess().capabilities.version !== ''
  const list = useList(jobFilters, narrowing)
  const { resource_type: resourceType, runDuration, ...asked } = list.values
  const [names, wantNames] = useOnDemand(jobNamesQuery)
  return (
    <JobTable
      id="jobs"
      list={list}
      asked={{ ...asked, resourceType, atLeast: runMillis(runDuration) }}
      filters={[
        list.signed('name', {
          label: 'Job name',
          options: names && toOptions(names.map(({ name }) => name)),
          onOpen: wantNames,
        }),
        list.signed('resource_type', { label: 'Resource type', options: resourceTypes }),
        list.signed('status', { label: 'Status', options: statusOptions }),
        list.one('runDuration', { label: 'Run duration', options: runDurations }),
        timeRangeFilter(list, jobFilters.defaults.range),
      ]}
      actions={
        hasStatistics && (
          <Link to={paths.jobStatistics} className={buttonClass()}>
            <ChartNoAxesColumn size={15} aria-hidden />
            Statistics
          </Link>
        )
      }
      empty={
        <EmptyState title="Nothing but successes">
          No run failed, warned or is under way in the last two days. Change the status filter to see successful runs.
        </EmptyState>
      }
    />
  )
}

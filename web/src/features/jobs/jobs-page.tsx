import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChartNoAxesColumn, RefreshCw, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAccess } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { jobStatuses, jobWord } from '@/entities/job-history/job.ts'
import { jobColumns } from '@/entities/job-history/job-columns.tsx'
import { jobKeys, jobNamesQuery } from '@/entities/job-history/job-history.queries.ts'
import { JobTable } from '@/entities/job-history/job-table.tsx'
import { useFilters } from '@/lib/use-filters.ts'
import { buttonClass } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { FilterBar } from '@/ui/filter/filter-bar.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { toOptions } from '@/ui/option.ts'
import { ColumnsMenu } from '@/ui/table/columns-menu.tsx'
import { TimeRangePicker } from '@/ui/time-range/time-range-picker.tsx'
import { jobFilters, resourceTypes, runDurations, runMillis } from './jobs.filters.ts'

const statusOptions = toOptions(jobStatuses, jobWord)
const narrowing = ['name', 'resource_type', 'status', 'runDuration', 'range'] as const

/** Every run of a background job: which, when, how long, and what went wrong. */
export function JobsPage() {
  const queries = useQueryClient()
  // Servers of the reference API keep no figures per job.
  const hasStatistics = useAccess().capabilities.version !== ''
  const [filters, setFilters] = useFilters(jobFilters)
  const [wantsNames, setWantsNames] = useState(false)
  const { data: names } = useQuery({ ...jobNamesQuery, enabled: wantsNames })
  // Another filter starts at its first page.
  const change = (next: Partial<typeof filters>) => setFilters({ pageIndex: 0, ...next })
  const isNarrowed = jobFilters.countActive(filters, narrowing) > 0
  return (
    <div className="flex h-full flex-col">
      <FilterBar
        className="shrink-0 border-b border-line bg-surface px-4 py-2"
        isActive={isNarrowed}
        onClear={() => {
          const { name, resource_type, status, runDuration, range } = jobFilters.defaults
          change({ name, resource_type, status, runDuration, range })
        }}
        filters={[
          {
            kind: 'signed',
            label: 'Job name',
            options: names && toOptions(names.map(({ name }) => name)),
            onOpen: () => setWantsNames(true),
            value: filters.name,
            onChange: (name) => change({ name }),
          },
          {
            kind: 'signed',
            label: 'Resource type',
            options: resourceTypes,
            value: filters.resource_type,
            onChange: (resource_type) => change({ resource_type }),
          },
          {
            kind: 'signed',
            label: 'Status',
            options: statusOptions,
            value: filters.status,
            onChange: (status) => change({ status }),
          },
          {
            kind: 'one',
            label: 'Run duration',
            options: runDurations,
            value: filters.runDuration,
            onChange: (runDuration) => change({ runDuration: runDuration ?? '' }),
          },
          {
            kind: 'element',
            label: 'Time range',
            element: (
              <TimeRangePicker
                value={filters.range}
                onChange={(range) => change({ range: range ?? jobFilters.defaults.range })}
              />
            ),
          },
        ]}
        actions={
          <>
            <IconButton
              icon={RefreshCw}
              label="Refresh"
              onClick={() => void queries.invalidateQueries({ queryKey: jobKeys.all })}
            />
            <ColumnsMenu tableId="jobs" columns={jobColumns} />
            {hasStatistics && (
              <Link to={paths.jobStatistics} className={buttonClass()}>
                <ChartNoAxesColumn size={15} aria-hidden />
                Statistics
              </Link>
            )}
          </>
        }
      />
      <div className="min-h-0 flex-1">
        <JobTable
          id="jobs"
          list={{
            pageIndex: filters.pageIndex,
            pageSize: filters.pageSize,
            sort: filters.sort,
            name: filters.name,
            status: filters.status,
            resourceType: filters.resource_type,
            atLeast: runMillis(filters.runDuration),
            range: filters.range,
          }}
          onPage={setFilters}
          onSort={(sort) => change({ sort })}
          empty={
            isNarrowed ? (
              <EmptyState icon={SearchX} title="No run matches these filters" />
            ) : (
              <EmptyState title="Nothing but successes">
                No run failed, warned or is under way in the last two days. Change the status filter to see successful
                runs.
              </EmptyState>
            )
          }
        />
      </div>
    </div>
  )
}

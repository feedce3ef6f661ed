import type { SentJobStatistics } from '@quarterdeck/contract/jobs'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { jobKeys } from '@/entities/job-history/job-history.queries.ts'
import { toast } from '@/ui/toast.tsx'

/** A job of this server, as it is scheduled. */
interface ScheduledJob {
  id: string
  name: string
  resource_type: string | null
  schedule: string | null
  next_run_at: string | null
  last_run_at: string | null
}

/** A line: what the server runs, and how it went; either may be missing. */
export interface JobLine extends Partial<Omit<SentJobStatistics, 'name'>> {
  /** Unique on the page. */
  key: string
  name: string
  /** What to run it by; absent for runs of agents and of earlier versions. */
  id?: string
  resource_type?: string | null
  schedule?: string | null
  next_run_at?: string | null
}

/** Jobs of this server first by name, then what only the history knows. */
export function mergeJobs(scheduled: readonly ScheduledJob[], statistics: readonly SentJobStatistics[]): JobLine[] {
  const byName = new Map(statistics.map((each) => [each.name, each]))
  const ours = new Set(scheduled.map(({ name }) => name))
  return [
    ...scheduled.map((job): JobLine => {
      const known = byName.get(job.name)
      return { ...known, ...job, last_run_at: known?.last_run_at ?? job.last_run_at, key: job.id }
    }),
    ...statistics
      .filter(({ name }) => !ours.has(name))
      .map((each): JobLine => ({ ...each, key: `history ${each.name}` })),
  ].sort((a, b) => a.name.localeCompare(b.name) || a.key.localeCompare(b.key))
}

export const jobListQuery = queryOptions({
  queryKey: [...jobKeys.all, 'statistics'],
  queryFn: async ({ signal }) => {
    const [scheduled, statistics] = await Promise.all([
      client('root').get<ScheduledJob[]>('/v1/jobs', { signal }),
      client('root').get<SentJobStatistics[]>('/v1/jobs/statistics', { signal }),
    ])
    return mergeJobs(scheduled, statistics)
  },
  staleTime: 0,
  meta: { relations: ['job_history'], quiet: true },
})

export function useRunJob() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => client('root').post(`/v1/jobs/${encodeURIComponent(id)}/run`),
    onSuccess: (_answer, { name }) => toast.success(`${name} starts now`),
    onSettled: () => queries.invalidateQueries({ queryKey: jobKeys.all }),
  })
}

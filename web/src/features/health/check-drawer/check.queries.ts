import { type HealthRange, healthRangeStart } from '@quarterdeck/contract/time-range'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { from } from '@/api/data-api.ts'
import { toast } from '@/ui/toast.tsx'
import { healthKeys } from '../health.queries.ts'

export interface CheckDetail {
  id: string
  name: string
  type: string
  namespace: string | null
  icon: string | null
  canary_id: string
  agent_id: string
  labels: Record<string, string> | null
  severity: string | null
  spec: { severity?: string; url?: string; endpoint?: string } | null
  description: string | null
  status: string | null
  last_runtime: string | null
  next_runtime: string | null
  last_transition_time: string | null
  canaries: { id: string; name: string; source: string | null } | null
  agents: { id: string; name: string } | null
  components: { components: { id: string; name: string; icon: string | null } | null }[]
  configs: { configs: { id: string; name: string; type: string } | null }[]
}

const detailColumns = [
  '*',
  'canaries!checks_canary_id_fkey(id,name,source)',
  'agents!checks_agent_id_fkey(id, name)',
  'components:check_component_relationships(components(id,name,icon))',
  'configs:check_config_relationships(configs(id,name,type))',
].join(',')

export const checkQuery = (id: string) =>
  queryOptions({
    queryKey: healthKeys.check(id),
    queryFn: ({ signal }) => from<CheckDetail>('checks').eq('id', id).select(detailColumns).first({ signal }),
    meta: { relations: ['checks', 'check_component_relationships', 'check_config_relationships'], ids: [id] },
  })

export interface CheckGraph {
  status: { time: string; status?: boolean; duration?: number; passed?: number; failed?: number }[] | null
  latency: { p95?: number; p97?: number; p99?: number }
  uptime: { passed?: number; failed?: number }
  step_seconds?: number
  lag_p99?: number | null
  missed?: number
}

/** Month ranges travel as a moment, because servers of this API know no months. */
const startOf = (range: HealthRange): string =>
  range.endsWith('mo') ? healthRangeStart(range, new Date()).toISOString() : range

export const graphQuery = (id: string, range: HealthRange) =>
  queryOptions({
    queryKey: [...healthKeys.check(id), 'graph', range],
    queryFn: ({ signal }) =>
      client('canary').get<CheckGraph>('/api/graph', {
        query: { check: id, count: 300, start: startOf(range) },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { relations: ['check_statuses'], ids: [id] },
  })

export interface CheckRun {
  check_id: string
  time: string
  duration: number | null
  message: string | null
  error: string | null
  status: boolean | null
  invalid?: boolean | null
  details?: unknown
}

export interface HistoryFilter {
  range: HealthRange
  status: '1' | '0' | undefined
  duration: number | undefined
  pageIndex: number
  pageSize: number
}

export const historyQuery = (id: string, { range, status, duration, pageIndex, pageSize }: HistoryFilter) =>
  queryOptions({
    queryKey: [...healthKeys.check(id), 'history', range, status, duration, pageIndex, pageSize],
    queryFn: ({ signal }) => {
      let query = from<CheckRun>('check_statuses')
        .eq('check_id', id)
        .where('time', 'gt', healthRangeStart(range, new Date()))
        .order('time.desc')
      if (status !== undefined) query = query.eq('status', status)
      if (duration !== undefined) query = query.where('duration', 'gte', duration)
      return query.page({ pageIndex, pageSize }).paged({ signal })
    },
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    meta: { relations: ['check_statuses'], ids: [id] },
  })

export interface RunFile {
  id: string
  filename: string
  size: number
}

/** Files that one run left behind. */
export const filesQuery = (id: string, time: string) =>
  queryOptions({
    queryKey: [...healthKeys.check(id), 'files', time],
    queryFn: ({ signal }) =>
      from<RunFile>('artifacts')
        .eq('check_id', id)
        .eq('check_time', time)
        .select('id,filename,size')
        .order('filename.asc')
        .rows({ signal }),
    meta: { quiet: true, relations: ['artifacts'] },
  })

export interface CanarySource {
  id: string
  source: string | null
  spec: Record<string, unknown>
  name: string
  namespace: string
}

export const canaryQuery = (id: string) =>
  queryOptions({
    queryKey: [...healthKeys.all, 'canary', id],
    queryFn: ({ signal }) =>
      from<CanarySource>('canaries').eq('id', id).select('id,source,spec,name,namespace').first({ signal }),
    meta: { relations: ['canaries'], ids: [id] },
  })

/** Runs a check at once; its history and figures are read again. */
export function useRunCheck(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => client('canary').post(`/run/check/${id}`),
    onSuccess: () => toast.success('You have successfully initiated the check run'),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: healthKeys.check(id) }),
        queries.invalidateQueries({ queryKey: healthKeys.summary() }),
      ]),
  })
}

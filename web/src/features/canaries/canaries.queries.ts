import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useAccess } from '@/api/access.tsx'
import { client } from '@/api/client.ts'
import { from } from '@/api/data-api.ts'
import { updateOver } from '@/api/edit-conflict.ts'
import { toast } from '@/ui/toast.tsx'
import type { Spec } from '@/ui/form/spec-parts.ts'
import type { CanaryValues } from './canary-form.ts'

export const nilAgent = '00000000-0000-0000-0000-000000000000'

export interface Canary {
  id: string
  name: string
  namespace: string
  labels: Record<string, string> | null
  spec: Spec
  source: string | null
  agent_id: string
  created_by: string | null
  created_at: string
  updated_at: string
}

export const canaryKeys = {
  all: ['resources', 'canaries'] as const,
  detail: (id: string) => [...canaryKeys.all, 'detail', id] as const,
  jobs: (id: string, page: Page) => [...canaryKeys.all, 'jobs', id, page] as const,
}

interface Page {
  pageIndex: number
  pageSize: number
}

/** Read anew whenever it is edited. */
export const canaryQuery = (id: string) =>
  queryOptions({
    queryKey: canaryKeys.detail(id),
    queryFn: ({ signal }) => from<Canary>('canaries').eq('id', id).first({ signal }),
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  })

export interface JobRun {
  id: string
  name: string
  status: string
  time_start: string
  duration_millis: number | null
  success_count: number | null
  error_count: number | null
  details: { errors?: string[] | null; [key: string]: unknown } | null
}

export const jobRunsQuery = (id: string, page: Page) =>
  queryOptions({
    queryKey: canaryKeys.jobs(id, page),
    queryFn: ({ signal }) =>
      from<JobRun>('job_histories')
        .select('*')
        .eq('resource_id', id)
        .order('created_at.desc')
        .page(page)
        .paged({ signal }),
    placeholderData: keepPreviousData,
    meta: { relations: ['job_history'], quiet: true },
  })

const useRefresh = () => {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: canaryKeys.all }),
      queries.invalidateQueries({ queryKey: ['health'] }),
    ])
}

/** The form shows what the server refuses. */
export function useSaveCanary() {
  const { user } = useAccess()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ values, over }: { values: CanaryValues; over?: Canary }): Promise<unknown> =>
      over
        ? updateOver('canaries', over, values, 'health check')
        : from<Canary>('canaries').insert({ ...values, source: 'UI', created_by: user.id }),
    onSuccess: (_rows, { values: { name }, over }) => {
      toast.success(over ? `${name} updated successfully` : `${name} added successfully`)
      return refresh()
    },
    meta: { quiet: true },
  })
}

export function useDeleteCanary(canary: Pick<Canary, 'id' | 'name'>) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () => from<Canary>('canaries').eq('id', canary.id).update({ deleted_at: 'now()' }),
    onSuccess: () => {
      toast.success(`${canary.name} deleted successfully`)
      return refresh()
    },
  })
}

/** What one check of an unsaved canary gave. */
export interface TriedCheck {
  name: string
  type: string
  pass: boolean
  invalid: boolean
  duration: number
  message: string
  error: string
  labels: Record<string, string>
  detail?: unknown
  /** What the expressions of the check can use. */
  environment?: unknown
}

/** Runs a canary that nobody saved, once. */
export function useTryCanary() {
  return useMutation({
    mutationFn: (values: CanaryValues) =>
      client('root').post<{ results: TriedCheck[]; problems: string[] }>('/v1/canaries/try', values),
    meta: { quiet: true },
  })
}

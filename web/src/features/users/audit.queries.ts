import type { AuditRow } from '@quarterdeck/contract/identity'
import { type TimeRange, toInstants } from '@quarterdeck/contract/time-range'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { saveFile } from '@/lib/save-file.ts'

/** What happened, as people say it. */
export const auditWords: Record<string, string> = {
  signed_in: 'Signed in',
  sign_in_failed: 'Failed to sign in',
  signed_out: 'Signed out',
  session_ended: 'Ended a session',
  password_changed: 'Changed a password',
  profile_changed: 'Changed a profile',
  recovery_requested: 'Asked for a sign-in link',
  recovered: 'Used a sign-in link',
  registered: 'Made an account',
  address_verified: 'Proved an address',
  second_factor_added: 'Added a second factor',
  second_factor_removed: 'Removed a second factor',
  recovery_codes_made: 'Made backup codes',
  recovery_codes_removed: 'Removed backup codes',
  social_sign_in_linked: 'Linked a sign-in provider',
  social_sign_in_unlinked: 'Unlinked a sign-in provider',
  person_added: 'Added a person',
  person_invited: 'Invited a person',
  person_deleted: 'Deleted a person',
  person_activated: 'Activated an account',
  person_deactivated: 'Deactivated an account',
  roles_changed: 'Changed roles',
  token_created: 'Created an access token',
  token_revoked: 'Revoked an access token',
  connection_added: 'Added a connection',
  connection_changed: 'Changed a connection',
  connection_deleted: 'Deleted a connection',
  connection_tested: 'Tested a connection',
  definition_added: 'Added a definition',
  definition_changed: 'Changed a definition',
  definition_deleted: 'Deleted a definition',
  job_started: 'Started a job',
  task_retried: 'Retried a task',
  task_discarded: 'Discarded a task',
  event_retried: 'Retried events',
  event_discarded: 'Discarded events',
}
export const auditWord = (action: string): string =>
  Object.hasOwn(auditWords, action) ? auditWords[action]! : action.replaceAll('_', ' ')

export interface AuditList {
  search: string
  action: readonly string[]
  outcome: string
  range: TimeRange | undefined
  pageIndex: number
  pageSize: number
}

function filtersOf({ search, action, outcome, range }: AuditList) {
  const bounds = range && toInstants(range)
  return {
    // The server takes no longer ones.
    search: search.trim().slice(0, 200) || undefined,
    action: action.join(',') || undefined,
    outcome: outcome || undefined,
    from: bounds?.from.toISOString(),
    to: bounds?.to.toISOString(),
  }
}

export const auditQuery = (list: AuditList) =>
  queryOptions({
    queryKey: ['people', 'audit', list],
    queryFn: ({ signal }) =>
      client('root').get<{ rows: AuditRow[]; total: number }>('/v1/audit', {
        signal,
        query: { ...filtersOf(list), limit: list.pageSize, offset: list.pageIndex * list.pageSize },
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { quiet: true },
  })

// A log of years takes a while to write down.
const exportTimeout = 600_000

/** Saves everything that matches as a file. */
export const useAuditExport = () =>
  useMutation({
    mutationFn: async (list: AuditList) => {
      const query = { ...filtersOf(list), format: 'csv' }
      const options = { query, as: 'blob', timeout: exportTimeout } as const
      saveFile('audit-log.csv', await client('root').get<Blob>('/v1/audit', options))
    },
  })

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { hasStatus } from '@/api/errors.ts'
import { sessionQuery } from '@/api/session.ts'
import { paths } from '@/app/paths.ts'
import { readStored, writeStored } from '@/lib/storage.ts'
import { Spinner } from '@/ui/spinner.tsx'
import { safeReturnTo } from './return-to.ts'

// A server that keeps answering 401 although the session is fine would send the browser round in circles.
const key = 'quarterdeck.session-checks'
const most = 3
const span = 15_000

function checkedTooOften(now = Date.now()): boolean {
  const recent = (readStored<number[]>(key, 'session') ?? []).filter((time) => now - time < span)
  writeStored(key, [...recent, now], 'session')
  return recent.length >= most
}

const checking = <Spinner size={20} label="Checking your session" className="text-muted" />

/** Where a lost session lands: asks whether there is one after all, then goes back, or to sign-in. */
export function AuthStateCheckerPage() {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const [search] = useSearchParams()
  if (!capabilities) return checking
  return capabilities.hosted ? <HostedCheck returnTo={safeReturnTo(search.get('return_to'))} /> : <SessionCheck />
}

/** The hosted provider renews its token by itself when the page comes up again. */
function HostedCheck({ returnTo }: { returnTo: string }) {
  const [to] = useState(() => (checkedTooOften() ? `${paths.error}?error_code=BAD_SESSION` : returnTo))
  return <Navigate to={to} replace />
}

function SessionCheck() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const returnTo = safeReturnTo(search.get('return_to'))
  const { error, isSuccess } = useQuery({ ...sessionQuery, queryKey: ['session-check'], staleTime: 0, gcTime: 0 })

  useEffect(() => {
    if (!isSuccess && !hasStatus(error, 401, 403, 422)) return
    // Whatever was loaded may be another person's by now.
    queries.removeQueries({
      predicate: ({ queryKey }) => !['capabilities', 'session-check'].includes(String(queryKey[0])),
    })
    const aal = hasStatus(error, 403, 422) ? ('aal2' as const) : undefined
    const to = isSuccess && !checkedTooOften() ? returnTo : paths.loginFor({ aal, return_to: returnTo })
    void navigate(to, { replace: true })
  }, [isSuccess, error, navigate, queries, returnTo])

  if (error && !hasStatus(error, 401, 403, 422)) throw error
  return checking
}

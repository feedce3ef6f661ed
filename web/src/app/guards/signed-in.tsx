import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { AccessProvider } from '@/api/access.tsx'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { isAway } from '@/api/errors.ts'
import { HostedGate } from '@/features/auth/hosted/hosted.tsx'
import { meQuery, propertiesQuery, sessionQuery } from '@/api/session.ts'
import { type Answers, bootOf } from '../boot.ts'
import { Provisioning, Sorry } from '../error-pages/screens.tsx'
import { Snippet } from '../snippets.ts'
import { isServerReady } from '../stale-build.ts'

const firstAwayWait = 3_000
const longestAwayWait = 60_000
// How soon an instance that is being made is asked again.
const provisioningPoll = 5_000

interface Props {
  children: ReactNode
  /** What to show until it is known who is here. */
  loading: ReactNode
  waitForFlags?: boolean
}

/** Shows its children to signed-in people only, once it is known who they are and what is switched on. */
export function SignedIn(props: Props) {
  const capabilities = useQuery(capabilitiesQuery)
  const booted = <Booted {...props} capabilities={{ data: capabilities.data, error: capabilities.error }} />
  const hosted = capabilities.data?.hosted
  if (!hosted) return booted
  return (
    <HostedGate publishableKey={hosted.publishable_key} loading={props.loading}>
      {booted}
    </HostedGate>
  )
}

function Booted({ children, loading, waitForFlags = true, capabilities }: Props & Pick<Answers, 'capabilities'>) {
  const location = useLocation()
  // All at once: each answer alone is quick, one after the other they would be seen.
  const session = useQuery(sessionQuery)
  const me = useQuery({
    ...meQuery,
    refetchInterval: ({ state }) =>
      capabilities.data?.auth === 'clerk' && state.status === 'error' ? provisioningPoll : false,
  })
  const properties = useQuery(propertiesQuery)
  const boot = bootOf({ capabilities, session, me, properties }, location.pathname + location.search, waitForFlags)
  switch (boot.kind) {
    case 'loading':
      return loading
    case 'go':
      return <Navigate to={boot.to} replace />
    case 'provisioning':
      return <Provisioning />
    case 'failed':
      return <Failed error={boot.error} />
    case 'ready':
      return (
        <AccessProvider me={boot.me} properties={boot.properties} capabilities={boot.capabilities}>
          <Snippet properties={boot.properties} capabilities={boot.capabilities} user={boot.me.user} />
          {children}
        </AccessProvider>
      )
  }
}

/** A server that is away is asked again until it is back, so that nobody has to sit here and press a button. */
function Failed({ error }: { error: Error }) {
  const queries = useQueryClient()
  const away = isAway(error)
  useEffect(() => {
    if (!away) return
    const timer = setInterval(async () => {
      if (await isServerReady()) await queries.resetQueries({ predicate: ({ state }) => state.status === 'error' })
    }, nextWait())
    return () => clearInterval(timer)
  }, [away, queries])
  return <Sorry error={error} whole />
}

let wait = 0
let askedAt = 0

/** Longer each time: a server that says it is ready and fails all the same must not make the page blink. */
function nextWait(): number {
  wait = Date.now() - askedAt > 2 * longestAwayWait ? firstAwayWait : Math.min(2 * wait, longestAwayWait)
  askedAt = Date.now()
  return wait
}

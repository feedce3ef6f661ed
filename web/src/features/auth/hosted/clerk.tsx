import {
  ClerkFailed,
  ClerkLoading,
  ClerkProvider,
  OrganizationSwitcher,
  SignIn,
  SignUp,
  useAuth,
  useOrganization,
  UserProfile,
} from '@clerk/react'
import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { dressRequests } from '@/api/client.ts'
import { paths, withQuery } from '@/app/paths.ts'
import { cn } from '@/lib/cn.ts'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { safeReturnTo } from '../return-to.ts'
import { backendOf, dresserFor } from './direct.ts'
import { waiting } from './waiting.tsx'

/** Everything of the hosted provider that the console shows. This file is loaded only where it signs people in. */

interface FrameProps {
  publishableKey: string
  /** Where the frame says that the provider is awaited or away: over the screen, on the page, or (in a corner) not at all. */
  notice: 'screen' | 'page' | 'none'
  children: ReactNode
}

export function HostedFrame({ publishableKey, notice, children }: FrameProps) {
  const navigate = useNavigate()
  const inside = (address: string) => {
    const { origin, pathname, search, hash } = new URL(address, window.location.origin)
    return origin === window.location.origin ? pathname + search + hash : null
  }
  const go = (address: string, replace: boolean) => {
    const to = inside(address)
    if (to === null) window.location.assign(address)
    else void navigate(to, { replace })
  }
  return (
    <ClerkProvider
      publishableKey={publishableKey}
      signInUrl={paths.login}
      signUpUrl={paths.registration}
      afterSignOutUrl={paths.login}
      routerPush={(to) => go(to, false)}
      routerReplace={(to) => go(to, true)}
    >
      {notice === 'page' && <ClerkLoading>{waiting}</ClerkLoading>}
      {notice !== 'none' && (
        <ClerkFailed>
          <Unreachable className={notice === 'screen' ? 'min-h-dvh' : undefined} />
        </ClerkFailed>
      )}
      {children}
    </ClerkProvider>
  )
}

/** The provider's own script comes from its host; a browser that cannot reach it would wait forever. */
const Unreachable = ({ className }: { className?: string }) => (
  <div role="alert" className={cn('grid place-content-center', className)}>
    <EmptyState
      icon={CloudOff}
      title="The identity provider cannot be reached"
      action={<Button onClick={() => window.location.reload()}>Try again</Button>}
    >
      People sign in at another site here, and it does not answer this browser. Check the network, then try again.
    </EmptyState>
  </div>
)

export function HostedSignIn() {
  const [search] = useSearchParams()
  return (
    <SignIn
      routing="hash"
      signUpUrl={paths.registration}
      fallbackRedirectUrl={safeReturnTo(search.get('return_to'))}
      signUpFallbackRedirectUrl={safeReturnTo(search.get('return_to'))}
    />
  )
}

export function HostedSignUp() {
  const [search] = useSearchParams()
  const redirect = search.get('redirectUrl')
  const back = redirect === null ? '/' : withQuery('/', { return_to: safeReturnTo(redirect) })
  return <SignUp routing="hash" signInUrl={paths.login} fallbackRedirectUrl={back} />
}

export const HostedProfile = () => <UserProfile routing="hash" />

export const HostedSwitcher = () => (
  <OrganizationSwitcher
    hidePersonal
    afterSelectOrganizationUrl={paths.orgsSwitched}
    afterCreateOrganizationUrl={paths.orgsSwitched}
  />
)

interface SessionProps {
  children: ReactNode
  loading: ReactNode
}

/** Shows its children to people the provider knows, and gives every request of the console their token. */
export function HostedSession({ children, loading }: SessionProps) {
  const { isLoaded, isSignedIn, orgId, getToken } = useAuth()
  const { isLoaded: isOrganisationLoaded, organization } = useOrganization()
  const { pathname, search } = useLocation()
  const queries = useQueryClient()
  const backend = backendOf(organization?.publicMetadata)
  const [dressedFor, setDressedFor] = useState<string>()
  const wanted = isSignedIn && orgId ? `${orgId} ${backend ?? ''}` : undefined

  useEffect(() => {
    if (wanted === undefined) return undefined
    dressRequests(dresserFor(() => getToken(), backend))
    // What was asked before went without the token, or to another backend.
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'capabilities' })
    setDressedFor(wanted)
    return () => dressRequests(undefined)
  }, [wanted, backend, getToken, queries])

  if (!isLoaded) return <ClerkLoading>{loading}</ClerkLoading>
  if (isSignedIn && !isOrganisationLoaded) return loading
  if (!isSignedIn) return <Navigate to={paths.loginFor({ return_to: pathname + search })} replace />
  if (!orgId) return <ChooseOrganisation />
  return dressedFor === wanted ? children : loading
}

function ChooseOrganisation() {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
      <h1 className="text-lg font-semibold">Choose an organisation</h1>
      <p className="max-w-sm text-sm text-muted">What you see here belongs to an organisation. Choose or create one.</p>
      <HostedSwitcher />
    </main>
  )
}

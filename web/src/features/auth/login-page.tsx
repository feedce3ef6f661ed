import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { paths, withQuery } from '@/app/paths.ts'
import { AuthCard, FlowContent, FlowSkeleton, linkClass } from './auth-page.tsx'
import { takeCredentials } from './credentials.ts'
import { FlowForm } from './flow-form.tsx'
import { stepOf } from './flows.ts'
import { Hosted } from './hosted/hosted.tsx'
import { logoutQuery, signOut } from './logout.ts'
import { safeReturnTo } from './return-to.ts'
import { useFlow } from './use-flow.ts'

export function LoginPage() {
  const { data: capabilities, error } = useQuery(capabilitiesQuery)
  const [search] = useSearchParams()
  if (error) throw error
  switch (capabilities?.auth) {
    case undefined:
      return (
        <AuthCard title="Sign in">
          <FlowSkeleton />
        </AuthCard>
      )
    case 'builtin':
    case 'kratos':
      return <FlowLogin canRegister={capabilities.registration === true} />
    case 'clerk':
      return <Hosted part="sign-in" />
    case 'plain':
    case 'none':
      // Nobody signs in here by a form, so there is nothing to do on this page.
      return <Navigate to={safeReturnTo(search.get('return_to'))} replace />
  }
}

function FlowLogin({ canRegister }: { canRegister: boolean }) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [credentials] = useState(takeCredentials)
  const sent = useRef(false)
  const returnTo = safeReturnTo(search.get('return_to'))
  const aal = search.get('aal') ?? undefined
  const refresh = search.get('refresh') === 'true'

  const screen = useFlow({
    kind: 'login',
    path: paths.login,
    start: { returnTo, refresh, aal },
    onDone: (answer, flow) => {
      const next = nextStep(answer)
      if (next !== undefined) return window.location.assign(next)
      // Nothing that was loaded for whoever was here before may be shown to whoever is here now.
      queries.clear()
      void navigate(safeReturnTo(flow.return_to ?? returnTo), { replace: true })
    },
  })

  const { state, submit } = screen
  const flow = state.status === 'ready' ? state.flow : undefined
  const isSecond = flow ? flow.requested_aal === 'aal2' : aal === 'aal2'
  const isRefresh = !isSecond && (flow ? flow.refresh === true : refresh)
  useEffect(() => {
    if (!credentials || sent.current || state.status !== 'ready') return
    sent.current = true
    const token = state.flow.ui.nodes.find((node) => node.attributes.name === 'csrf_token')?.attributes.value
    submit({ csrf_token: String(token ?? ''), method: 'password', ...credentials }, 'method=password')
  }, [credentials, state, submit])

  return (
    <AuthCard
      title={isSecond ? 'Second factor' : isRefresh ? 'Confirm that it is you' : 'Sign in'}
      footer={
        <>
          {isRefresh && (
            <Link to={safeReturnTo(flow?.return_to ?? returnTo)} className={linkClass}>
              Go back
            </Link>
          )}
          {isSecond || isRefresh ? <SignOut /> : <StrangerLinks canRegister={canRegister} />}
        </>
      }
    >
      <FlowContent screen={screen}>
        {(shown) => (
          <FlowForm flow={shown} pressed={screen.pressed} submit={submit} messages autoFocus={!credentials} />
        )}
      </FlowContent>
    </AuthCard>
  )
}

/** For people who cannot sign in yet; whoever is half-way in has no use for them. */
function StrangerLinks({ canRegister }: { canRegister: boolean }) {
  const [search] = useSearchParams()
  return (
    <>
      <Link to={paths.recovery} className={linkClass}>
        Reset password
      </Link>
      {canRegister && (
        <Link to={withQuery(paths.registration, { return_to: search.get('return_to') })} className={linkClass}>
          Create account
        </Link>
      )}
    </>
  )
}

/** Where the identity service sends somebody who has another step to go, when that is one of its own addresses. */
function nextStep(answer: unknown): string | undefined {
  const to = stepOf(answer, 'redirect_browser_to')?.redirect_browser_to
  if (typeof to !== 'string' || !URL.canParse(to, window.location.origin)) return undefined
  const { origin, pathname, href } = new URL(to, window.location.origin)
  return origin === window.location.origin && pathname.endsWith('/self-service/login/browser') ? href : undefined
}

/** Whoever has no second factor at hand is not stuck: they can leave, and somebody else can sign in. */
function SignOut() {
  const { data: token } = useQuery(logoutQuery)
  return (
    <button type="button" className={linkClass} onClick={() => void signOut(token)}>
      Sign out
    </button>
  )
}

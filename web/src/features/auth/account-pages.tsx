import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { isRecord } from '@/api/errors.ts'
import { paths, withQuery } from '@/app/paths.ts'
import { AuthCard, FlowContent, linkClass } from './auth-page.tsx'
import { FlowForm } from './flow-form.tsx'
import { type FlowKind, stepOf } from './flows.ts'
import { Hosted } from './hosted/hosted.tsx'
import { safeReturnTo } from './return-to.ts'
import { useFlow } from './use-flow.ts'

interface Screen {
  kind: FlowKind
  path: string
  heading: string
  link: { label: string; to: string }
}

/** A page that is one form of the identity service. */
function FlowPage({ kind, path, heading, link }: Screen) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const screen = useFlow({
    kind,
    path,
    start: { returnTo: search.get('return_to') ?? undefined },
    onDone: (answer, flow) => {
      const next = verificationOf(answer)
      void navigate(next ?? safeReturnTo(flow.return_to), { replace: true })
    },
  })
  return (
    <AuthCard
      title={heading}
      footer={
        <Link to={link.to} className={linkClass}>
          {link.label}
        </Link>
      }
    >
      <FlowContent screen={screen}>
        {(flow) => <FlowForm flow={flow} pressed={screen.pressed} submit={screen.submit} messages autoFocus />}
      </FlowContent>
    </AuthCard>
  )
}

/** An account that needs its address proven first is not signed in yet; the form that proves it comes next. */
function verificationOf(answer: unknown): string | undefined {
  const step = stepOf(answer, 'show_verification_ui')
  const id = step && isRecord(step.flow) ? step.flow.id : undefined
  const isSignedIn = isRecord(answer) && isRecord(answer.session)
  return typeof id === 'string' && !isSignedIn ? withQuery(paths.verification, { flow: id }) : undefined
}

const goBack = { label: 'Go back', to: paths.home }

export const RecoveryPage = () => (
  <FlowPage kind="recovery" path={paths.recovery} heading="Recover account" link={goBack} />
)

export function RegistrationPage() {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  if (capabilities?.auth === 'clerk') return <Hosted part="sign-up" />
  return (
    <FlowPage
      kind="registration"
      path={paths.registration}
      heading="Create account"
      link={{ label: 'Sign in', to: paths.login }}
    />
  )
}

export const VerificationPage = () => (
  <FlowPage kind="verification" path={paths.verification} heading="Verify your account" link={goBack} />
)

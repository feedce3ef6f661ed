import { type ReactNode, useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { paths } from '@/app/paths.ts'
import { cn } from '@/lib/cn.ts'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { toast } from '@/ui/toast.tsx'
import { SessionsCard, TokensCard } from './account-access.tsx'
import { FlowContent, linkClass } from './auth-page.tsx'
import { FlowForm } from './flow-form.tsx'
import { FlowMessages } from './flow-messages.tsx'
import { type Flow, type FlowValues, isRemoval, labelOf, stepOf, type UiNode } from './flows.ts'
import { Hosted } from './hosted/hosted.tsx'
import { safeReturnTo } from './return-to.ts'
import { takeUnsavedChange } from './unsaved-change.ts'
import { type FlowScreen, useFlow } from './use-flow.ts'
import { useRound } from './use-round.ts'

interface Group {
  group: UiNode['group']
  title: string
  note?: ReactNode
}

const store = (href: string, name: string) => (
  <a href={href} target="_blank" rel="noreferrer" className={linkClass}>
    {name}
  </a>
)

const groups: Group[] = [
  { group: 'profile', title: 'Profile Settings' },
  { group: 'password', title: 'Change Password' },
  { group: 'oidc', title: 'Manage Social Sign In' },
  {
    group: 'lookup_secret',
    title: 'Manage 2FA Backup Recovery Codes',
    note: 'Recovery codes are for panic situations, when you have lost access to your 2FA device. Keep them somewhere safe.',
  },
  {
    group: 'totp',
    title: 'Manage 2FA TOTP Authenticator App',
    note: (
      <>
        Add an authenticator app to your account to improve its security. Popular ones are Google Authenticator (
        {store('https://play.google.com/store/apps/details?id=com.google.android.apps.authenticator2', 'Android')},{' '}
        {store('https://apps.apple.com/app/google-authenticator/id388497605', 'iOS')}) and LastPass Authenticator (
        {store('https://play.google.com/store/apps/details?id=com.lastpass.authenticator', 'Android')},{' '}
        {store('https://apps.apple.com/app/lastpass-authenticator/id1079110004', 'iOS')}).
      </>
    ),
  },
  {
    group: 'webauthn',
    title: 'Manage Hardware Tokens and Biometrics',
    note: 'Use hardware keys (such as a security key on USB) or biometrics (such as a fingerprint reader) as a second factor.',
  },
]

/** How long the answer to a change stays on the page. */
const messageTime = 10_000

export function ProfileSettingsPage() {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const [search] = useSearchParams()
  const returnTo = safeReturnTo(search.get('return_to'))
  // A server of the reference API knows no tokens of one's own, and Kratos keeps its sessions elsewhere.
  const isOurs = capabilities?.auth === 'builtin' && capabilities.version !== ''
  return (
    <div className="w-full max-w-2xl">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h1 tabIndex={-1} className="text-xl font-semibold outline-none">
          Profile Management and Security Settings
        </h1>
        <Link to={returnTo} className={`${linkClass} text-sm`}>
          Go back
        </Link>
      </div>
      {capabilities?.auth === 'clerk' ? (
        <Hosted part="profile" />
      ) : (
        <SettingsCards returnTo={returnTo} isOurs={isOurs} />
      )}
    </div>
  )
}

function SettingsCards({ returnTo, isOurs }: { returnTo: string; isOurs: boolean }) {
  const screen = useFlow({ kind: 'settings', path: paths.profileSettings, start: { returnTo } })
  const removal = useRemoval(screen)
  const isShown = screen.state.status === 'ready'
  useEffect(() => {
    if (isShown && takeUnsavedChange()) toast.info('Your change was not saved yet. Please make it once more.')
  }, [isShown])
  return (
    <FlowContent screen={screen}>
      {(flow) => {
        const cards = groups.filter(({ group }) => flow.ui.nodes.some((node) => node.group === group))
        // A server that lets people change nothing says why, and that has to stay.
        if (cards.length === 0 && flow.ui.messages?.length) return <NothingToChange flow={flow} />
        const isRecovered = flow.ui.messages?.some(({ id }) => id === setPasswordMessage)
        return (
          <div className="flex flex-col gap-4">
            <PassingMessages flow={flow} />
            {cards.map(({ group, title, note }) => (
              <Card key={group} title={title} aria-label={title}>
                {note && <p className="mb-4 text-sm text-pretty text-muted">{note}</p>}
                <FlowForm
                  flow={flow}
                  group={group}
                  pressed={screen.pressed}
                  submit={(values, pressed) => removal.submit(flow, values, pressed)}
                  autoFocus={isRecovered && group === 'password'}
                  className="max-w-sm [&_[data-group]>button]:self-start"
                />
              </Card>
            ))}
            {isOurs && (
              <>
                <SessionsCard />
                <TokensCard />
              </>
            )}
            {removal.dialog}
          </div>
        )
      }}
    </FlowContent>
  )
}

/** "You are signed in, now set a password": the reason why somebody is here, so the cursor goes there. */
const setPasswordMessage = 1060001

const NothingToChange = ({ flow }: { flow: Flow }) => (
  <EmptyState title="Nothing can be changed here" className="rounded-lg border border-line bg-surface">
    {flow.ui.messages?.map(({ text }) => text).join(' ')}
  </EmptyState>
)

/** Asks before a way of signing in is taken away; everything else is sent at once. */
function useRemoval(screen: FlowScreen) {
  const [asked, setAsked] = useState<{ label: string; send: () => void }>()
  const submit = (flow: Flow, values: FlowValues, pressed: string) => {
    const send = () => screen.submit(values, pressed)
    const node = flow.ui.nodes.find(
      ({ attributes }) => `${String(attributes.name)}=${String(attributes.value)}` === pressed,
    )
    if (node && isRemoval(node)) setAsked({ label: labelOf(node) ?? 'Remove', send })
    else send()
  }
  const dialog = (
    <ConfirmDialog
      open={asked !== undefined}
      onOpenChange={(open) => !open && setAsked(undefined)}
      title={`${asked?.label ?? ''}?`}
      confirmLabel="Remove"
      onConfirm={() => asked?.send()}
    >
      You will no longer be able to sign in with it.
    </ConfirmDialog>
  )
  return { submit, dialog }
}

/**
 * The answer to the last change; it has been read after ten seconds and would otherwise look like news next time. It
 * floats, because the button that was pressed may be far from the top, and nothing should jump when it comes and goes.
 */
function PassingMessages({ flow }: { flow: Flow }) {
  const [passed, setPassed] = useState<Flow>()
  const round = useRound(flow)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(flow), messageTime)
    return () => clearTimeout(timer)
  }, [flow])
  const next = stepOf(flow, 'redirect_browser_to')?.redirect_browser_to
  const messages = passed === flow ? [] : (flow.ui.messages ?? [])
  if (messages.length === 0 && typeof next !== 'string') return null
  return (
    <div
      className={cn(
        'popup fixed inset-x-4 bottom-4 z-10 mx-auto flex animate-enter flex-wrap items-center gap-3 p-3',
        messages.length > 0 ? 'max-w-2xl' : 'w-fit',
      )}
    >
      <FlowMessages key={round} messages={messages} boxed className="min-w-60 flex-1" />
      {typeof next === 'string' && (
        <Link to={safeReturnTo(next)} className={`${buttonClass({ variant: 'primary' })} ml-auto`}>
          Continue to Quarterdeck
        </Link>
      )}
    </div>
  )
}

import { type ReactNode, useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { paths } from '@/app/paths.ts'
import { Card } from '@/ui/card.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { toast } from '@/ui/toast.tsx'
import { SessionsCard, TokensCard } from './account-access.tsx'
import { FlowContent, FlowSkeleton, linkClass } from './auth-page.tsx'
import { FlowForm } from './flow-form.tsx'
import type { Flow, UiNode } from './flows.ts'
import { Hosted } from './hosted/hosted.tsx'
import { PassingMessages } from './passing-messages.tsx'
import { safeReturnTo } from './return-to.ts'
import { takeUnsavedChange } from './unsaved-change.ts'
import { useFlow } from './use-flow.ts'
import { useRemoval } from './use-removal.tsx'

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
    <FlowContent screen={screen} loading={cardsToCome}>
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

/** The two cards that nearly every account has. */
const cardsToCome = (
  <div className="flex flex-col gap-4">
    {groups.slice(0, 2).map(({ group, title }) => (
      <Card key={group} title={title}>
        <div className="max-w-sm">
          <FlowSkeleton />
        </div>
      </Card>
    ))}
  </div>
)

/** "You are signed in, now set a password": the reason why somebody is here, so the cursor goes there. */
const setPasswordMessage = 1060001

const NothingToChange = ({ flow }: { flow: Flow }) => (
  <EmptyState title="Nothing can be changed here" className="rounded-lg border border-line bg-surface">
    {flow.ui.messages?.map(({ text }) => text).join(' ')}
  </EmptyState>
)

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { covers, roles } from '@quarterdeck/contract/permissions'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { report } from '@/api/report.ts'
import { meQuery } from '@/api/session.ts'
import { Age, DateTime } from '@/ui/age.tsx'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { CopyButton } from '@/ui/copy-button.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { Input } from '@/ui/input.tsx'
import { Select } from '@/ui/select.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { toast } from '@/ui/toast.tsx'
import { useNow } from '@/ui/use-now.ts'
import {
  browserName,
  endOtherSessions,
  endSession,
  makeToken,
  revokeToken,
  sessionsQuery,
  thisSessionQuery,
  tokensQuery,
} from './account-access.queries.ts'

const note = 'mb-4 text-sm text-pretty text-muted'

/** One thing that opens the account, and the button that ends it. */
function Row({ id, title, children, action }: { id: string; title: string; children: ReactNode; action: ReactNode }) {
  return (
    <li className="flex items-center gap-3 py-2">
      <div id={id} className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium" title={title}>
          {title}
        </p>
        <p className="text-xs text-muted">{children}</p>
      </div>
      {action}
    </li>
  )
}

const CardError = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <ErrorPanel error={error} title="This list could not be loaded" hideDetails onRetry={onRetry} className="m-0" />
)

/** Where the account is signed in. */
export function SessionsCard() {
  const queries = useQueryClient()
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const { data: here } = useQuery(thisSessionQuery)
  const end = useMutation({
    mutationFn: (id: string | null): Promise<unknown> => (id === null ? endOtherSessions() : endSession(id)),
    onSuccess: (_answer, id) => toast.success(id === null ? 'All other sessions ended' : 'Session ended'),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  return (
    <Card title="Sessions" aria-label="Sessions">
      <p className={note}>Where you are signed in. End what you do not know, then change your password.</p>
      {!sessions && !error && <SkeletonLines lines={2} />}
      {!sessions && error && <CardError error={error} onRetry={() => void refetch()} />}
      <ul className="divide-y divide-line">
        {sessions && here && (
          <Row id="this-session" title="This browser" action={<Badge tone="ok">Now</Badge>}>
            signed in <Age value={here.authenticated_at} suffix=" ago" />
            {here.authenticator_assurance_level === 'aal2' && ', with a second factor'} · ends{' '}
            <DateTime value={here.expires_at} />
          </Row>
        )}
        {sessions?.map(({ id, devices, authenticated_at }) => (
          <Row
            key={id}
            id={id}
            title={browserName(devices[0]?.user_agent ?? '')}
            action={
              <Button size="sm" aria-describedby={id} disabled={end.isPending} onClick={() => end.mutate(id)}>
                End session
              </Button>
            }
          >
            {devices[0]?.ip_address} · signed in <Age value={authenticated_at} suffix=" ago" />
          </Row>
        ))}
      </ul>
      {sessions?.length === 0 && <p className="mt-1 text-sm text-muted">You are signed in nowhere else.</p>}
      {(sessions?.length ?? 0) > 1 && (
        <Button className="mt-3" disabled={end.isPending} onClick={() => end.mutate(null)}>
          End all other sessions
        </Button>
      )}
    </Card>
  )
}

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'A year' },
]

/** Tokens that let scripts act for the person. */
export function TokensCard() {
  const queries = useQueryClient()
  const { data: tokens, error, refetch } = useQuery(tokensQuery)
  const [made, setMade] = useState<{ id: string; token: string }>()
  const [revoking, setRevoking] = useState<{ id: string; name: string }>()
  const refresh = () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey })
  const make = useMutation({
    mutationFn: makeToken,
    onSuccess: setMade,
    onSettled: refresh,
    meta: { quiet: true },
  })
  return (
    <Card title="Access Tokens" aria-label="Access Tokens">
      <p className={note}>
        A token lets a script act for you, as a bearer token. It never may do more than you, and it is shown once.
      </p>
      <NewTokenForm busy={make.isPending} error={make.error} onMake={(token) => make.mutateAsync(token)} />
      {made && (
        <div role="status" className="mt-4 rounded-md border border-line bg-sunken p-3">
          <p className="mb-2 text-sm">Copy your new token now. You will not see it again.</p>
          <div className="flex items-center gap-2">
            <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{made.token}</code>
            <CopyButton text={made.token} label="Copy token" message="Copied the token" withLabel />
          </div>
        </div>
      )}
      {!tokens && !error && <SkeletonLines lines={2} className="mt-4" />}
      {!tokens && error && (
        <div className="mt-4">
          <CardError error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {tokens?.length === 0 && <p className="mt-3 text-sm text-muted">You have no tokens.</p>}
      <ul className="mt-3 divide-y divide-line empty:hidden">
        {tokens?.map(({ id, name, expires_at, roles: scope }) => (
          <Row
            key={id}
            id={id}
            title={name}
            action={
              <Button size="sm" aria-describedby={id} onClick={() => setRevoking({ id, name })}>
                Revoke
              </Button>
            }
          >
            {scope ? `As ${scope.join(', ')}` : 'Everything you may do'} · <TokenEnd at={expires_at} />
          </Row>
        ))}
      </ul>
      <ConfirmDialog
        open={revoking !== undefined}
        onOpenChange={(open) => !open && setRevoking(undefined)}
        title={`Revoke ${revoking?.name ?? 'the token'}?`}
        confirmLabel="Revoke token"
        onConfirm={async () => {
          await revokeToken(revoking!.id).catch((error: unknown) => {
            report(error)
            throw error
          })
          toast.success('Token revoked')
          if (made?.id === revoking!.id) setMade(undefined)
          await refresh()
        }}
      >
        Scripts that use it stop working at once.
      </ConfirmDialog>
    </Card>
  )
}

function TokenEnd({ at }: { at: string | null }) {
  const now = useNow(60_000)
  if (at === null) return 'without an end'
  return (
    <>
      {Date.parse(at) > now ? 'ends' : 'ended'} <DateTime value={at} />
    </>
  )
}

interface NewTokenProps {
  busy: boolean
  error: Error | null
  onMake: (token: { name: string; days: number; roles?: string[] }) => Promise<unknown>
}

function NewTokenForm({ busy, error, onMake }: NewTokenProps) {
  const field = useId()
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [scope, setScope] = useState('all')
  const { data: me } = useQuery(meQuery)
  const smaller = roles.filter((role) => covers(me?.roles ?? [], role))
  const scopes = [
    { value: 'all', label: 'Everything I may do' },
    ...smaller.map((role) => ({ value: role as string, label: `As ${role}` })),
  ]
  async function submit(event: FormEvent) {
    event.preventDefault()
    const scoped = scope === 'all' ? {} : { roles: [scope] }
    try {
      await onMake({ name: name.trim(), days: Number(days), ...scoped })
      setName('')
    } catch {
      // Told below; what was typed stays.
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-wrap items-end gap-3">
      <div className="flex min-w-40 flex-1 flex-col gap-1.5">
        <label htmlFor={field} className="text-sm font-medium">
          Token name
        </label>
        <Input
          id={field}
          value={name}
          maxLength={100}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${field}-error` : undefined}
          onChange={(event) => setName(event.target.value)}
        />
      </div>
      <Select aria-label="Lifetime" value={days} onChange={setDays} options={lifetimes} className="w-28" />
      <Select aria-label="Scope" value={scope} onChange={setScope} options={scopes} className="w-52" />
      <Button type="submit" variant="primary" loading={busy} disabled={name.trim() === ''}>
        Create token
      </Button>
      {error && (
        <p id={`${field}-error`} role="alert" className="w-full text-sm text-bad-text">
          {error.message}
        </p>
      )}
    </form>
  )
}

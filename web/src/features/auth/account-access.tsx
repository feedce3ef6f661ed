import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { covers, roles } from '@quarterdeck/contract/permissions'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { report } from '@/api/report.ts'
import { meQuery } from '@/api/session.ts'
import { Age, DateTime } from '@/ui/age.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { CopyButton } from '@/ui/copy-button.tsx'
import { Input } from '@/ui/input.tsx'
import { Select } from '@/ui/select.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { toast } from '@/ui/toast.tsx'
import {
  browserName,
  endOtherSessions,
  endSession,
  makeToken,
  revokeToken,
  sessionsQuery,
  tokensQuery,
} from './account-access.queries.ts'

const note = 'mb-4 text-sm text-pretty text-muted'

/** One thing that opens the account, and the button that ends it. */
function Row({ title, children, action }: { title: ReactNode; children: ReactNode; action: ReactNode }) {
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{title}</p>
        <p className="text-xs text-muted">{children}</p>
      </div>
      {action}
    </li>
  )
}

/** Where else the account is signed in. */
export function SessionsCard() {
  const queries = useQueryClient()
  const { data: sessions } = useQuery(sessionsQuery)
  const end = useMutation({
    mutationFn: (id: string | null): Promise<unknown> => (id === null ? endOtherSessions() : endSession(id)),
    onSuccess: (_answer, id) => toast.success(id === null ? 'All other sessions ended' : 'Session ended'),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  return (
    <Card title="Sessions" aria-label="Sessions">
      <p className={note}>Where else you are signed in. End what you do not know, then change your password.</p>
      {!sessions && <SkeletonLines lines={2} />}
      {sessions?.length === 0 && <p className="text-sm">You are signed in nowhere else.</p>}
      <ul className="divide-y divide-line">
        {sessions?.map(({ id, devices, authenticated_at }) => (
          <Row
            key={id}
            title={browserName(devices[0]?.user_agent ?? '')}
            action={
              <Button size="sm" disabled={end.isPending} onClick={() => end.mutate(id)}>
                End session
              </Button>
            }
          >
            {devices[0]?.ip_address} · signed in <Age value={authenticated_at} suffix=" ago" />
          </Row>
        ))}
      </ul>
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
  const { data: tokens } = useQuery(tokensQuery)
  const [made, setMade] = useState<string>()
  const [revoking, setRevoking] = useState<{ id: string; name: string }>()
  const refresh = () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey })
  const make = useMutation({
    mutationFn: makeToken,
    onSuccess: ({ token }) => setMade(token),
    onSettled: refresh,
  })
  return (
    <Card title="Access Tokens" aria-label="Access Tokens">
      <p className={note}>
        A token lets a script act for you, as a bearer token. It never may do more than you, and it is shown once.
      </p>
      <NewTokenForm busy={make.isPending} onMake={(token) => make.mutateAsync(token)} />
      {made && (
        <div role="status" className="mt-4 rounded-md border border-line bg-sunken p-3">
          <p className="mb-2 text-sm">Copy your new token now. You will not see it again.</p>
          <div className="flex items-center gap-2">
            <code className="min-w-0 flex-1 font-mono text-xs break-all">{made}</code>
            <CopyButton text={made} label="Copy token" />
          </div>
        </div>
      )}
      <ul className="mt-3 divide-y divide-line">
        {tokens?.map(({ id, name, expires_at, roles: scope }) => (
          <Row
            key={id}
            title={name}
            action={
              <Button size="sm" onClick={() => setRevoking({ id, name })}>
                Revoke
              </Button>
            }
          >
            {scope ? `As ${scope.join(', ')}` : 'Everything you may do'} ·{' '}
            {expires_at ? (
              <>
                ends <DateTime value={expires_at} />
              </>
            ) : (
              'without an end'
            )}
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
          await refresh()
        }}
      >
        Scripts that use it stop working at once.
      </ConfirmDialog>
    </Card>
  )
}

interface NewTokenProps {
  busy: boolean
  onMake: (token: { name: string; days: number; roles?: string[] }) => Promise<unknown>
}

function NewTokenForm({ busy, onMake }: NewTokenProps) {
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
      // Told by a toast; what was typed stays.
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-wrap items-end gap-3">
      <div className="flex min-w-40 flex-1 flex-col gap-1.5">
        <label htmlFor={field} className="text-sm font-medium">
          Token name
        </label>
        <Input id={field} value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
      </div>
      <Select aria-label="Lifetime" value={days} onChange={setDays} options={lifetimes} className="w-28" />
      <Select aria-label="Scope" value={scope} onChange={setScope} options={scopes} className="w-52" />
      <Button type="submit" variant="primary" loading={busy} disabled={name.trim() === ''}>
        Create token
      </Button>
    </form>
  )
}

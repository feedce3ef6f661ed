import type { AccessExplanation } from '@quarterdeck/contract/identity'
import { useQuery } from '@tanstack/react-query'
import { Check, Info, Minus } from 'lucide-react'
import { plural } from '@/lib/format.ts'
import { Badge } from '@/ui/badge.tsx'
import { Drawer } from '@/ui/drawer.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { accessQuery } from './users.queries.ts'

/** What one person can do, and which role allows it; from the matrix the server refuses by. */
export function AccessDrawer({ id, name, onClose }: { id: string; name?: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(accessQuery(id))
  const who = data?.person.name || name || 'this person'
  return (
    <Drawer
      open
      onOpenChange={(open) => !open && onClose()}
      title={`What can ${who} do, and why?`}
      bodyClassName="flex flex-col overflow-hidden p-0"
    >
      {/* Nothing inside takes the focus, so the region itself must, or the keyboard cannot scroll it. */}
      <div
        role="region"
        aria-label="Access explained"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- axe asks for it: scrollable-region-focusable
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto px-5 py-4 outline-offset-[-2px]"
      >
        {data ? (
          <Explanation access={data} />
        ) : error ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} className="m-0" />
        ) : (
          <SkeletonLines lines={12} />
        )}
      </div>
    </Drawer>
  )
}

function Explanation({ access }: { access: AccessExplanation }) {
  const { sign_in: reach } = access
  const resources = [...new Set(access.grants.map(({ resource }) => resource))]
  const grant = (resource: string, action: 'read' | 'write') =>
    access.grants.find((each) => each.resource === resource && each.action === action)
  return (
    <div className="flex flex-col gap-5 text-sm">
      <p className="text-muted">
        {access.person.email}
        {access.person.state && ` · ${access.person.state}`}
      </p>
      {access.notes.map((note) => (
        <p key={note} className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-warn-text">
          <Info size={15} aria-hidden className="mt-0.5 shrink-0" />
          {note}
        </p>
      ))}
      <section>
        <h3 className="mb-1.5 font-semibold">Roles</h3>
        <ul className="flex flex-col gap-1">
          {access.roles.map(({ role, why }) => (
            <li key={role} className="flex items-center gap-2">
              <Badge tone={role === 'admin' ? 'accent' : 'neutral'}>{role}</Badge>
              <span className="text-muted">{why}</span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3 className="mb-1.5 font-semibold">Ways in</h3>
        <p className="text-muted">
          {reach.password ? 'A password is set' : 'No password is set'}, {plural(reach.sessions, 'open session')},{' '}
          {plural(reach.tokens, 'usable access token')}.{' '}
          {access.may_run_checks ? 'May run checks now.' : 'May not run checks.'}
        </p>
      </section>
      <section>
        <h3 className="mb-1.5 font-semibold">Rights</h3>
        <table aria-label="Rights" className="w-full border-separate border-spacing-0">
          <thead>
            <tr className="text-left text-xs text-muted">
              <th className="border-b border-line py-1.5 pr-3 font-medium">Resource</th>
              <th className="w-[36%] border-b border-line py-1.5 pr-3 font-medium">Read</th>
              <th className="w-[36%] border-b border-line py-1.5 font-medium">Write</th>
            </tr>
          </thead>
          <tbody>
            {resources.map((resource) => (
              <tr key={resource}>
                <th scope="row" className="border-b border-line py-1.5 pr-3 text-left font-normal">
                  {resource.replaceAll('_', ' ')}
                </th>
                <Right grant={grant(resource, 'read')} />
                <Right grant={grant(resource, 'write')} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function Right({ grant }: { grant: AccessExplanation['grants'][number] | undefined }) {
  const isAllowed = grant?.allowed === true
  return (
    <td className="border-b border-line py-1.5 pr-3">
      <span className="flex items-center gap-1.5">
        {isAllowed ? (
          <Check size={14} aria-label="yes" className="shrink-0 text-ok" />
        ) : (
          <Minus size={14} aria-label="no" className="shrink-0 text-subtle" />
        )}
        <span className="text-muted">{isAllowed ? `as ${grant.because.join(', ')}` : 'no'}</span>
      </span>
    </td>
  )
}

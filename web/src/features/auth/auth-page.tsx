import type { ReactNode } from 'react'
import { ApiError, hasStatus } from '@/api/errors.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { Skeleton } from '@/ui/skeleton.tsx'
import { errorIdOf, type Flow } from './flows.ts'
import type { FlowScreen } from './use-flow.ts'

/** A card with a heading, the frame of every page around signing in. */
export function AuthCard({ title, children, footer }: { title: ReactNode; children: ReactNode; footer?: ReactNode }) {
  return (
    <div className="w-full max-w-sm">
      <section className="rounded-xl border border-line bg-surface p-6 shadow-popup sm:p-7">
        <h1 tabIndex={-1} className="mb-5 text-lg font-semibold outline-none">
          {title}
        </h1>
        {children}
      </section>
      {footer && <div className="mt-4 flex justify-center gap-6 text-sm">{footer}</div>}
    </div>
  )
}

interface FlowContentProps {
  screen: FlowScreen
  loading?: ReactNode
  children: (flow: Flow) => ReactNode
}

/** Shows a flow once it is there. A server without this kind of flow is said so; other failures reach the error page. */
export function FlowContent({ screen, loading = <FlowSkeleton />, children }: FlowContentProps) {
  const { state } = screen
  if (state.status === 'loading') return loading
  if (state.status === 'ready') return children(state.flow)
  const reason = reasonNotOffered(state.error)
  if (reason === null) throw state.error
  return (
    <EmptyState title="Not available on this server" className="px-0 py-6">
      {reason}
    </EmptyState>
  )
}

/** Two fields and a button to come; as tall as the usual form, so that nothing jumps. */
export function FlowSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4">
      {['w-12', 'w-16'].map((width) => (
        <div key={width} className="flex flex-col gap-1.5">
          <Skeleton className={`my-1 ${width}`} />
          <Skeleton className="h-9 rounded-md" />
        </div>
      ))}
      <Skeleton className="h-9 rounded-md" />
    </div>
  )
}

function reasonNotOffered(error: unknown): string | null {
  if (hasStatus(error, 404)) return 'The server does not offer this. Ask your administrator for help with your account.'
  const off = error instanceof ApiError && String(errorIdOf(error.body)).endsWith('_disabled')
  return off ? error.message : null
}

export const linkClass = 'rounded-sm font-medium text-accent-text underline-offset-4 hover:underline'

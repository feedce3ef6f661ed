import { CircleAlert, Compass, Hourglass, LockKeyhole, PowerOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useRouteError } from 'react-router'
import { Button, buttonClass } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { paths } from '../paths.ts'
import { reloadOnce } from '../stale-build.ts'

const home = (
  <Link to={paths.home} className={buttonClass()}>
    Go to the start page
  </Link>
)

/** A page the person's role does not open. */
export function Unauthorized() {
  return (
    <EmptyState icon={LockKeyhole} title="Unauthorized" className="min-h-full" action={home}>
      You do not have permission to access this page.
    </EmptyState>
  )
}

/** An address that means nothing. */
export function NotFound() {
  return (
    <EmptyState icon={Compass} title="Page not found" className="min-h-full" action={home}>
      There is no page at this address. It may have been moved, or the link is incomplete.
    </EmptyState>
  )
}

/** A page whose feature an administrator switched off. */
export function SwitchedOff({ title }: { title: string }) {
  return (
    <EmptyState icon={PowerOff} title={`${title} is switched off`} className="min-h-full" action={home}>
      This part of the console is not available on this server.
    </EmptyState>
  )
}

/** A hosted instance that is being made; asks again by itself. */
export function Provisioning() {
  return (
    <main className="grid h-dvh place-items-center">
      <EmptyState icon={Hourglass} title="Please wait, instance provisioning in-progress ...">
        This page opens by itself when the instance is ready.
      </EmptyState>
    </main>
  )
}

/** The generic page for anything that went wrong while drawing. */
export function Sorry({ error, onRetry, whole }: { error: unknown; onRetry?: () => void; whole?: boolean }) {
  const [reloading, setReloading] = useState(false)
  const reload = () => {
    setReloading(true)
    window.location.reload()
  }
  const content = (
    <div className="w-full max-w-2xl px-4">
      <div className="mb-3 flex items-center gap-2.5">
        <CircleAlert size={20} aria-hidden className="text-bad" />
        <h2 className="text-lg font-semibold">Sorry.. there was an error</h2>
      </div>
      <ErrorPanel error={error} className="m-0" />
      <div className="mt-4 flex gap-2">
        <Button variant="primary" loading={reloading} onClick={onRetry ?? reload}>
          Try again
        </Button>
        <a href={paths.home} className={buttonClass()}>
          Go to the start page
        </a>
      </div>
    </div>
  )
  return whole ? (
    <main className="grid h-dvh place-items-center overflow-y-auto py-8">{content}</main>
  ) : (
    <div className="grid min-h-full place-items-center py-8">{content}</div>
  )
}

/** The code of a page did not come: the server is away, or was updated since the console was opened. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded'
  constructor(cause: unknown) {
    super('This page could not be loaded. It opens by itself when the server can be reached.', { cause })
  }
}

const askEvery = 3_000

/** What a route shows when it cannot be drawn. */
export function RouteError({ whole }: { whole?: boolean }) {
  const error = useRouteError()
  const away = error instanceof PageNotLoaded
  useEffect(() => {
    if (!away) return
    const timer = setInterval(() => void reloadOnce(), askEvery)
    return () => clearInterval(timer)
  }, [away])
  return <Sorry error={error} whole={whole} />
}

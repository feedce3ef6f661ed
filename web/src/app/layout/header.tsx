import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { Menu as MenuIcon, RefreshCw, Search } from 'lucide-react'
import { Link } from 'react-router'
import { useMaybeAccess } from '@/api/access.tsx'
import { ShellSwitcher } from '@/features/auth/hosted/hosted.tsx'
import { cn } from '@/lib/cn.ts'
import { Breadcrumbs } from '@/ui/breadcrumbs.tsx'
import { Kbd } from '@/ui/kbd.tsx'
import type { Crumb } from '../route-table.ts'
import { DocsButton } from './docs-button.tsx'
import { HeaderButton } from './header-button.tsx'
import { LiveIndicator } from './live-indicator.tsx'
import { UserButton } from './user-button.tsx'

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)

interface Props {
  crumbs: readonly Crumb[]
  onOpenMenu: () => void
  onOpenPalette: () => void
  onOpenShortcuts: () => void
}

/** The line above every page: where you are, and what is always at hand. */
export function Header({ crumbs, onOpenMenu, onOpenPalette, onOpenShortcuts }: Props) {
  return (
    <HeaderFrame>
      <HeaderButton icon={MenuIcon} label="Open menu" hint={false} className="-ml-1.5 sm:hidden" onClick={onOpenMenu} />
      <Trail crumbs={crumbs} />
      <LiveIndicator />
      <button
        type="button"
        aria-label="Search"
        aria-keyshortcuts={mac ? 'Meta+K' : 'Control+K'}
        onClick={onOpenPalette}
        className="flex h-8 items-center gap-2 rounded-md border border-line px-2.5 text-sm text-subtle hover:bg-hover hover:text-fg max-md:border-transparent max-md:px-2"
      >
        <Search size={15} aria-hidden />
        <span className="w-24 text-left max-md:hidden lg:w-36">Search</span>
        <span className="flex gap-0.5 max-md:hidden">
          <Kbd>{mac ? '⌘' : 'Ctrl'}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <div className="flex items-center gap-0.5">
        <RefreshButton />
        <DocsButton onOpenShortcuts={onOpenShortcuts} />
        <Organisation />
        <UserButton />
      </div>
    </HeaderFrame>
  )
}

/** Which organisation one works in, where a hosted provider keeps them. */
function Organisation() {
  return useMaybeAccess()?.capabilities.hosted ? <ShellSwitcher /> : null
}

/** The place of the header, also used by the loading screen. */
export function HeaderFrame({ children }: { children: React.ReactNode }) {
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-surface px-4 max-sm:gap-1.5 max-sm:px-3">
      {children}
    </header>
  )
}

function Trail({ crumbs }: { crumbs: readonly Crumb[] }) {
  const last = crumbs.length - 1
  return (
    <div className="min-w-0 flex-1 [&_li:not([aria-current])]:max-sm:hidden">
      <Breadcrumbs
        items={crumbs.map(({ label, to }, index) => {
          if (index === last) return <Heading key={label}>{label}</Heading>
          return to ? (
            <Link key={label} to={to}>
              {label}
            </Link>
          ) : (
            label
          )
        })}
      />
    </div>
  )
}

function Heading({ children }: { children: string }) {
  return (
    <h1 tabIndex={-1} title={children} className="truncate rounded-sm text-sm font-semibold">
      {children}
    </h1>
  )
}

function RefreshButton() {
  const queries = useQueryClient()
  const fetching = useIsFetching() > 0
  return (
    <HeaderButton
      icon={RefreshCw}
      label="Refresh"
      aria-busy={fetching}
      onClick={() => void queries.refetchQueries({ type: 'active' })}
      className={cn(fetching && '[&_svg]:animate-spin')}
    />
  )
}

import { ChevronDown, PanelLeftClose, PanelLeftOpen, Settings } from 'lucide-react'
import { type ComponentProps, type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { cn } from '@/lib/cn.ts'
import type { Nav, NavItem } from '../nav.ts'
import { paths } from '../paths.ts'
import { Hint } from './hint.tsx'
import { Logo } from './logo.tsx'
import { onDemand } from './on-demand.tsx'
import { narrow, type Sidebar as SidebarState } from './use-sidebar.ts'

const line =
  'group/item flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-sm text-muted select-none hover:bg-hover hover:text-fg'
const current = 'bg-accent-soft font-medium text-accent-text hover:bg-accent-soft hover:text-accent-text'

/** The menu at the left: a list with words, or a strip of icons. */
export function Sidebar({ nav, state }: { nav: Nav; state: SidebarState }) {
  const frame = useRef<HTMLElement>(null)
  const { collapsed, setCollapsed } = state

  useEffect(() => {
    if (collapsed) return
    function onPointerDown(event: PointerEvent) {
      if (window.innerWidth < narrow && !frame.current?.contains(event.target as Node)) setCollapsed(true)
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  })

  return (
    <SidebarFrame ref={frame} collapsed={collapsed}>
      <Link
        to={paths.home}
        aria-label="Quarterdeck home"
        className="flex h-12 shrink-0 items-center gap-2.5 rounded-md px-3.5 text-base font-semibold -outline-offset-2"
      >
        <Logo />
        {!collapsed && <span>Quarterdeck</span>}
      </Link>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-2 py-1.5">
        {collapsed ? <Strip nav={nav} /> : <NavList nav={nav} />}
      </nav>
      <div className="shrink-0 p-2">
        <CollapseButton state={state} />
      </div>
    </SidebarFrame>
  )
}

/** The place of the menu, also used by the loading screen so that nothing moves when the menu comes. */
export function SidebarFrame({
  collapsed,
  children,
  ref,
}: {
  collapsed: boolean
  children?: ReactNode
  ref?: Ref<HTMLElement>
}) {
  return (
    <div className={cn('relative z-20 shrink-0 max-sm:hidden', collapsed ? 'w-13' : 'w-13 lg:w-56')}>
      <aside
        ref={ref}
        className={cn(
          'absolute inset-y-0 left-0 flex flex-col border-r border-line bg-surface',
          collapsed ? 'w-13' : 'w-56 max-lg:shadow-dialog',
        )}
      >
        {children}
      </aside>
    </div>
  )
}

function CollapseButton({ state: { collapsed, setCollapsed } }: { state: SidebarState }) {
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose
  const label = collapsed ? 'Expand menu' : 'Collapse menu'
  return (
    <Hint content={collapsed ? label : undefined} side="right">
      <button
        type="button"
        aria-label={label}
        aria-expanded={!collapsed}
        onClick={() => setCollapsed(!collapsed)}
        className={cn(line, 'text-subtle')}
      >
        <Icon size={16} aria-hidden className="mx-0.5 shrink-0" />
        {!collapsed && 'Collapse'}
      </button>
    </Hint>
  )
}

const isIn = (pathname: string, to: string) => pathname === to || pathname.startsWith(`${to}/`)

/** The menu with words; also the content of the phone's drawer. */
export function NavList({ nav, onGo }: { nav: Nav; onGo?: () => void }) {
  const { pathname } = useLocation()
  const inSettings = isIn(pathname, paths.settings)
  const [chosen, setChosen] = useState<boolean>()
  const open = chosen ?? inSettings
  // Arriving in the settings opens their list; leaving them gives the choice back to the address.
  useEffect(() => setChosen(undefined), [inSettings])
  // In a short window the current item of a long list would be below the edge.
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView?.({ block: 'nearest' })
  }, [pathname, open])
  return (
    <ul ref={list} className="flex flex-col gap-0.5">
      {nav.main.map((item) => (
        <li key={item.to}>
          <NavLink to={item.to} onClick={onGo} className={({ isActive }) => cn(line, isActive && current)}>
            <ItemIcon item={item} />
            {item.label}
          </NavLink>
        </li>
      ))}
      {nav.settings.length > 0 && (
        <li className="mt-0.5">
          <button type="button" aria-expanded={open} onClick={() => setChosen(!open)} className={line}>
            <Settings size={16} aria-hidden className="mx-0.5 shrink-0" />
            <span className="flex-1 text-left">Settings</span>
            <ChevronDown size={14} aria-hidden className={cn('transition-transform', !open && '-rotate-90')} />
          </button>
          {open && (
            <ul aria-label="Settings" className="mt-0.5 mb-1 ml-4.5 flex flex-col gap-0.5 border-l border-line pl-2">
              {nav.settings.map((item) => (
                <li key={item.to}>
                  <NavLink
                    to={item.to}
                    onClick={onGo}
                    className={({ isActive }) => cn(line, 'h-7.5', isActive && current)}
                  >
                    {item.label}
                  </NavLink>
                </li>
              ))}
            </ul>
          )}
        </li>
      )}
    </ul>
  )
}

function ItemIcon({ item: { icon: Icon } }: { item: NavItem }) {
  return Icon ? <Icon size={16} aria-hidden className="mx-0.5 shrink-0" /> : null
}

const square = cn(line, 'w-9 justify-center px-0')

/** The gear of the strip. */
export function SettingsTrigger(props: ComponentProps<'button'>) {
  const { pathname } = useLocation()
  return (
    <button
      type="button"
      aria-label="Settings"
      aria-haspopup="menu"
      title="Settings"
      {...props}
      className={cn(square, 'data-popup-open:bg-hover', isIn(pathname, paths.settings) && current)}
    >
      <Settings size={16} aria-hidden />
    </button>
  )
}

const SettingsMenu = onDemand(SettingsTrigger, () =>
  import('./settings-menu.tsx').then((module) => module.SettingsMenu),
)

function Strip({ nav }: { nav: Nav }) {
  const { pathname } = useLocation()
  return (
    <ul className="flex flex-col gap-0.5">
      {nav.main.map((item) => (
        <li key={item.to}>
          <Hint content={item.label} side="right">
            <NavLink
              to={item.to}
              aria-label={item.label}
              className={isIn(pathname, item.to) ? cn(square, current) : square}
            >
              <ItemIcon item={item} />
            </NavLink>
          </Hint>
        </li>
      ))}
      {nav.settings.length > 0 && (
        <li>
          <SettingsMenu items={nav.settings} />
        </li>
      )}
    </ul>
  )
}

import { useQuery } from '@tanstack/react-query'
import { CircleUser, FileDown, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useMaybeAccess } from '@/api/access.tsx'
import { aboutQuery } from '@/api/session.ts'
import { hostedSignOut } from '@/features/auth/hosted/hosted.tsx'
import { logoutQuery, signOut } from '@/features/auth/logout.ts'
import { Menu, MenuGroup, MenuItem, MenuLink, MenuRadioGroup, MenuSeparator } from '@/ui/menu.tsx'
import { usesFlows } from '../boot.ts'
import { paths, withQuery } from '../paths.ts'
import { type Theme, useTheme } from '../theme.ts'
import { frontendVersion } from '../version.ts'
import { UserMenuTrigger } from './user-button.tsx'

const KubeconfigDialog = lazy(() => import('./kubeconfig-dialog.tsx').then((m) => ({ default: m.KubeconfigDialog })))

const themeLabels: Record<Theme, { label: string; icon: typeof Sun }> = {
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
  system: { label: 'System', icon: Monitor },
}

/** What the user button opens. */
export function UserMenu({ defaultOpen }: { defaultOpen: boolean }) {
  const access = useMaybeAccess()
  const [open, setOpen] = useState(defaultOpen)
  const [kubeconfig, setKubeconfig] = useState(false)
  const [theme, setTheme] = useTheme()
  const flows = access ? usesFlows(access.capabilities.auth) : true
  const hosted = access?.capabilities.hosted !== undefined
  const { data: token } = useQuery({ ...logoutQuery, enabled: flows })
  const { data: backend = 'NA' } = useQuery(aboutQuery)
  const user = access?.user
  const here = window.location.pathname + window.location.search

  return (
    <>
      <Menu className="w-64" open={open} onOpenChange={setOpen} trigger={<UserMenuTrigger />}>
        <div className="px-2 pt-1.5 pb-2">
          <p className="truncate text-sm font-semibold">Hi {user?.name ?? 'there'}</p>
          {user?.email && <p className="truncate text-xs text-subtle">{user.email}</p>}
        </div>
        <MenuSeparator />
        {(flows || hosted) && (
          <MenuLink icon={CircleUser} link={<Link to={withQuery(paths.profileSettings, { return_to: here })} />}>
            Your Profile
          </MenuLink>
        )}
        {access?.can('write', 'canaries') && (
          <MenuItem icon={FileDown} onSelect={() => setKubeconfig(true)}>
            Download kubeconfig
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuGroup label="Theme">
          <MenuRadioGroup
            value={theme}
            onChange={setTheme}
            options={Object.entries(themeLabels).map(([value, { label, icon: Icon }]) => ({
              value: value as Theme,
              label: (
                <span className="flex items-center gap-2">
                  <Icon size={15} aria-hidden className="text-subtle" />
                  {label}
                </span>
              ),
            }))}
          />
        </MenuGroup>
        <MenuSeparator />
        {(flows || hosted) && (
          <MenuItem
            icon={LogOut}
            onSelect={() => void (hosted ? hostedSignOut(paths.loginFor({ return_to: here })) : signOut(token))}
          >
            Sign out
          </MenuItem>
        )}
        <p className="px-2 pt-1.5 pb-1 text-xs text-subtle">
          Version {frontendVersion} · backend {backend}
        </p>
      </Menu>
      {kubeconfig && (
        <Suspense fallback={null}>
          <KubeconfigDialog onClose={() => setKubeconfig(false)} />
        </Suspense>
      )}
    </>
  )
}

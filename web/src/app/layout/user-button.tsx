import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useMaybeAccess } from '@/api/access.tsx'
import { logoutQuery } from '@/features/auth/logout.ts'
import { Avatar } from '@/ui/avatar.tsx'
import { usesFlows } from '../boot.ts'
import { onDemand } from './on-demand.tsx'

/** The picture that opens the user menu. */
export function UserMenuTrigger(props: ComponentProps<'button'>) {
  const user = useMaybeAccess()?.user
  return (
    <button
      type="button"
      aria-label="User menu"
      aria-haspopup="menu"
      {...props}
      className="ml-1 grid size-8 place-items-center rounded-full hover:bg-hover data-popup-open:bg-hover"
    >
      <Avatar name={user?.name ?? ''} src={user?.avatar} size={26} />
    </button>
  )
}

const UserMenu = onDemand(UserMenuTrigger, () => import('./user-menu.tsx').then((module) => module.UserMenu))

/** The person's own menu. On error pages it also shows while it is unknown who is there. */
export function UserButton() {
  const access = useMaybeAccess()
  // Signing out should take one call, also when the connection is bad by then.
  useQuery({ ...logoutQuery, enabled: !access || usesFlows(access.capabilities.auth) })
  return <UserMenu />
}

import { Ellipsis, KeyRound, ShieldQuestion, Trash2, UserCheck, UserCog, UserMinus, UserX } from 'lucide-react'
import { IconButton } from '@/ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu.tsx'
import type { User } from './users.queries.ts'

/** What can be done about a user; absent is not allowed, or not offered by this server. */
export interface UserActions {
  explain?: (user: User) => void
  changeRole?: (user: User) => void
  removeRole?: (user: User, role: string) => void
  renewLink?: (user: User) => void
  setState?: (user: User) => void
  remove?: (user: User) => void
}

export function UserMenu({ user, actions }: { user: User; actions: UserActions }) {
  const { explain, changeRole, removeRole, renewLink, setState, remove } = actions
  const isActive = user.state === 'active'
  return (
    <Menu
      trigger={
        <IconButton icon={Ellipsis} label={`Actions for ${user.name}`} size="sm" variant="ghost" tooltip={false} />
      }
    >
      {explain && (
        <MenuItem icon={ShieldQuestion} onSelect={() => explain(user)}>
          What can this person do?
        </MenuItem>
      )}
      {changeRole && (
        <MenuItem icon={UserCog} onSelect={() => changeRole(user)}>
          Change role
        </MenuItem>
      )}
      {removeRole &&
        user.roles.length > 1 &&
        user.roles.map((role) => (
          <MenuItem key={role} icon={UserMinus} onSelect={() => removeRole(user, role)}>
            Remove role {role}
          </MenuItem>
        ))}
      {renewLink && isActive && (
        <MenuItem icon={KeyRound} onSelect={() => renewLink(user)}>
          New sign-in link
        </MenuItem>
      )}
      {setState && (
        <MenuItem icon={isActive ? UserX : UserCheck} onSelect={() => setState(user)}>
          {isActive ? 'Deactivate' : 'Activate'}
        </MenuItem>
      )}
      {remove && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} danger onSelect={() => remove(user)}>
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

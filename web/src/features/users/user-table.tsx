import { useQuery } from '@tanstack/react-query'
import { UserCog, UserPlus, Users } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useAccess } from '@/api/access.tsx'
import { report } from '@/api/report.ts'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ListPage } from '@/ui/list/list-page.tsx'
import { useList } from '@/ui/list/use-list.ts'
import { toast } from '@/ui/toast.tsx'
import { AccessDrawer } from './access-drawer.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { userColumns } from './user-columns.tsx'
import type { UserActions } from './user-menu.tsx'
import { UserUses } from './user-uses.tsx'
import { userFilters } from './users.filters.ts'
import { useDeleteUser, type User, useRenewLink, useSetRoles, useSetState, usersQuery } from './users.queries.ts'

type Open =
  | { dialog: 'invite' }
  | { dialog: 'role'; user?: User }
  | { dialog: 'delete' | 'deactivate'; user: User }
  | { dialog: 'link'; url: string; name: string }

export function UserTable() {
  const { can, capabilities, user: me } = useAccess()
  const isOurs = capabilities.version !== ''
  const canInvite = can('write', 'identities')
  const canAssign = can('write', 'rbac')
  const list = useList(userFilters)
  const { set } = list
  const { query: search, sort, pageIndex, pageSize, person } = list.values
  const users = useQuery(usersQuery({ search, sort, pageIndex, pageSize }))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const remove = useDeleteUser()
  const { mutateAsync: setState } = useSetState()
  const { mutate: setRoles } = useSetRoles()
  const { mutate: renewLink } = useRenewLink()

  const columns = useMemo(() => {
    const actions: UserActions = {
      explain: isOurs ? (user) => set({ person: user.id }, { push: true }) : undefined,
      changeRole: canAssign ? (user) => setOpen({ dialog: 'role', user }) : undefined,
      // Only our own call replaces roles; the shared one adds, and nothing takes away.
      removeRole:
        canAssign && isOurs
          ? ({ id, name, roles }, role) =>
              setRoles({ id, name, roles: roles.filter((each) => each !== role) }, { onError: (e) => report(e) })
          : undefined,
      renewLink:
        canInvite && isOurs
          ? ({ id, name }) =>
              renewLink(id, {
                onSuccess: ({ link }) =>
                  link ? setOpen({ dialog: 'link', url: link, name }) : toast.success(`A link was mailed to ${name}`),
              })
          : undefined,
      setState:
        canInvite && isOurs
          ? (user) =>
              user.state === 'active'
                ? setOpen({ dialog: 'deactivate', user })
                : void setState({ user, state: 'active' }).catch(() => undefined)
          : undefined,
      remove: canInvite ? (user) => setOpen({ dialog: 'delete', user }) : undefined,
    }
    return userColumns(Object.values(actions).some(Boolean) ? actions : undefined)
  }, [canAssign, canInvite, isOurs, renewLink, set, setRoles, setState])

  const doomed = open?.dialog === 'delete' || open?.dialog === 'deactivate' ? open : undefined
  return (
    <ListPage
      id="users"
      label="Users"
      noun="user"
      list={list}
      query={users}
      rows={users.data?.users}
      total={users.data?.total}
      columns={columns}
      rowId={(user) => user.id}
      onRowClick={isOurs ? (user) => list.set({ person: user.id }, { push: true }) : undefined}
      selectedId={person}
      search="Search users"
      tools={['refresh']}
      actions={
        <>
          {canAssign && (
            <Button icon={UserCog} onClick={() => setOpen({ dialog: 'role' })}>
              Add Role to User
            </Button>
          )}
          {canInvite && (
            <Button variant="primary" icon={UserPlus} onClick={() => setOpen({ dialog: 'invite' })}>
              Invite User
            </Button>
          )}
        </>
      }
      empty={<EmptyState icon={Users} title="No users" />}
    >
      {open?.dialog === 'invite' && <InviteDialog onClose={close} />}
      {open?.dialog === 'role' && <RoleDialog user={open.user} onClose={close} />}
      {open?.dialog === 'link' && <LinkDialog url={open.url} name={open.name} onClose={close} />}
      {doomed && (
        <ConfirmDialog
          open
          onOpenChange={(isOpen) => !isOpen && close()}
          title={`${doomed.dialog === 'delete' ? 'Delete' : 'Deactivate'} ${doomed.user.name}?`}
          confirmLabel={doomed.dialog === 'delete' ? 'Delete' : 'Deactivate'}
          onConfirm={() =>
            doomed.dialog === 'delete'
              ? remove.mutateAsync(doomed.user.id)
              : setState({ user: doomed.user, state: 'inactive' })
          }
        >
          {doomed.user.id === me.id && <p className="mb-1 font-medium text-bad-text">This is your own account.</p>}
          {doomed.dialog === 'delete' && isOurs && <UserUses id={doomed.user.id} />}
          {doomed.dialog === 'delete'
            ? `${doomed.user.email} can no longer sign in, and all sessions and tokens end at once. This cannot be undone.`
            : `${doomed.user.email} cannot sign in until the account is activated again; all sessions end at once.`}
        </ConfirmDialog>
      )}
      {person && isOurs && (
        <AccessDrawer
          id={person}
          name={users.data?.users.find(({ id }) => id === person)?.name}
          onClose={() => list.set({ person: undefined })}
        />
      )}
    </ListPage>
  )
}

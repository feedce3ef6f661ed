import { can } from '@quarterdeck/contract/permissions'
import type { Principal } from '../auth/principal.ts'
import { forbidden, unauthorized } from '../errors.ts'
import type { Access } from './route.ts'

/** Throws 401 when nobody is signed in and 403 when whoever is may not. */
export function demand(access: Access, user: Principal | undefined): void {
  if (access.kind === 'public') return
  if (!user) throw unauthorized()
  if (!allows(access, user)) throw forbidden()
}

function allows(access: Access, user: Principal): boolean {
  switch (access.kind) {
    case 'public':
      return true
    case 'agent':
      return user.kind === 'agent'
    case 'signed-in':
      return user.kind === 'person'
    case 'resource':
      return user.kind === 'person' && can(user.roles, access.action, access.resource)
    case 'roles':
      return user.kind === 'person' && access.roles.some((role) => user.roles.includes(role))
  }
}

/** `write incident`, `agent`, `public`: the words of the route list and of OpenAPI. */
export function describeAccess(access: Access): string {
  if (access.kind === 'resource') return `${access.action} ${access.resource}`
  return access.kind === 'roles' ? `one of ${access.roles.join(', ')}` : access.kind
}

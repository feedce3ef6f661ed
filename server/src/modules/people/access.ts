import type { AccessExplanation, WhoAmI } from '@quarterdeck/contract/identity'
import {
  effectiveRoles,
  mayRunChecks,
  permissions,
  resources,
  type Role,
  roles,
} from '@quarterdeck/contract/permissions'

type Policies = WhoAmI['payload']['permissions']
const allowed = (subject: string, object: string, action: string) => ({ subject, object, action, deny: false })

/** The matrix as policies, one line per right; all of everything is `*`. */
export function policiesOf(held: readonly Role[]): Policies {
  return held.flatMap((role) =>
    role === 'admin'
      ? [allowed(role, '*', '*')]
      : (['read', 'write'] as const).flatMap((action) =>
          permissions[role][action].map((object) => allowed(role, object, action)),
        ),
  )
}

export const allPolicies = (): Policies => policiesOf(roles)

interface Facts {
  person: AccessExplanation['person']
  stored: readonly string[]
  reach: AccessExplanation['sign_in']
}

/** What somebody may do and which role allows it, from the same matrix that the server refuses by. */
export function explainAccess({ person, stored, reach }: Facts): AccessExplanation {
  const held = effectiveRoles(stored)
  const why = (role: Role) => (stored.includes(role) ? 'given to this person' : 'everybody without a role is a viewer')
  const grants = resources.flatMap((resource) =>
    (['read', 'write'] as const).map((action) => {
      const because = held.filter((role) => permissions[role][action].includes(resource))
      return { resource, action, allowed: because.length > 0, because }
    }),
  )
  return {
    person,
    roles: held.map((role) => ({ role, why: why(role) })),
    grants,
    may_run_checks: mayRunChecks(held),
    sign_in: reach,
    notes: notesOn(person, reach),
  }
}

function notesOn(person: Facts['person'], reach: Facts['reach']): string[] {
  const notes: string[] = []
  if (person.state === 'inactive')
    notes.push('The account is deactivated: none of this can be used until it is activated.')
  if (person.state === 'active' && !reach.password)
    notes.push('No password is set yet: the invitation has not been used.')
  if (person.state === null) notes.push('This person has no account here and acts only through access tokens, if any.')
  if (reach.tokens > 0)
    notes.push(
      `Access tokens act with these rights, or with the part a token was made for: ${reach.tokens} can be used now.`,
    )
  return notes
}

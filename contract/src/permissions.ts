/** The one table of who may do what. The server refuses by it, the console hides by it. */

export const roles = ['admin', 'editor', 'commander', 'responder', 'viewer'] as const
export type Role = (typeof roles)[number]

export const resources = [
  'database',
  'rbac',
  'auth',
  'responder',
  'incident',
  'evidences',
  'comments',
  'canaries',
  'topologies',
  'config_scrapers',
  'identities',
  'connections',
  'kratos',
  'agents',
  'feature_flags',
  'logging_backends',
  'integrations',
  'notifications',
  'playbooks',
  'playbook_runs',
] as const
export type Resource = (typeof resources)[number]

export type Action = 'read' | 'write'

/** Resources only an administrator may see or change. */
const administrative: readonly Resource[] = ['connections', 'identities', 'rbac']
const general = resources.filter((resource) => !administrative.includes(resource))
const incidentWork: readonly Resource[] = ['responder', 'incident', 'evidences', 'comments']

export const permissions: Record<Role, Record<Action, readonly Resource[]>> = {
  admin: { read: resources, write: resources },
  editor: { read: general, write: general },
  commander: { read: general, write: incidentWork },
  responder: { read: general, write: incidentWork },
  viewer: { read: general, write: [] },
}

const isRole = (name: unknown): name is Role => roles.includes(name as Role)

/** The known roles among what is stored for a person; nobody is less than a viewer. */
export function effectiveRoles(stored: readonly (string | null)[] | null | undefined): Role[] {
  const known = [...new Set((stored ?? []).filter(isRole))]
  return known.length > 0 ? known : ['viewer']
}

/** Whether any of these roles allows the action on the resource. */
export function can(held: readonly Role[], action: Action, resource: Resource): boolean {
  return held.some((role) => permissions[role][action].includes(resource))
}

/** Whether these roles allow everything that another one does, so that it may be handed on. */
export const covers = (held: readonly Role[], role: Role): boolean =>
  held.includes(role) ||
  (['read', 'write'] as const).every((action) =>
    permissions[role][action].every((resource) => can(held, action, resource)),
  )

/** Run Now is open to everyone who works incidents, though the check itself is not theirs to edit. */
export const mayRunChecks = (held: readonly Role[]): boolean => held.some((role) => role !== 'viewer')

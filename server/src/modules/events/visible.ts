import { canUseRelation } from '@quarterdeck/contract/relations'
import type { Principal } from '../../platform/auth/principal.ts'

/** Tables that are hidden themselves but shown by a view: their changes concern whoever may read the view. */
const shownBy: Record<string, string> = { casbin_rule: 'people_roles' }

/** Whether somebody may hear that a relation changed: those who may read it. */
export const maySee = (user: Principal, relation: string): boolean =>
  canUseRelation(user.roles, 'read', shownBy[relation] ?? relation)

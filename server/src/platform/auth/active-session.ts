import type { IdentityJson, SessionRow } from './identity.sql.ts'
import type { Principal } from './principal.ts'

/** A session that may be used now, and who is behind it. */
export interface ActiveSession extends SessionRow {
  identity: IdentityJson
  principal: Principal
  /** Makes the logout token; never sent. */
  tokenHash: string
}

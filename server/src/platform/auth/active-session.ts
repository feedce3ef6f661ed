import type { IdentityJson, SessionRow } from './identity.sql.ts'
import type { Principal } from './principal.ts'

/** A session that may be used now, and who is behind it. */
export interface ActiveSession extends SessionRow {
  identity: IdentityJson
  principal: Principal
  /** The account has a second factor, so that one factor alone opens nothing. */
  second_factor: boolean
  /** Makes the logout token; never sent. */
  tokenHash: string
}

/** Signed in with the password alone though the account has a second factor. */
export const isHalfWay = (session: Pick<ActiveSession, 'second_factor' | 'aal'>): boolean =>
  session.second_factor && session.aal === 'aal1'

import type { Context } from '../../../context.ts'
import type { ActiveSession } from '../active-session.ts'
import { authState } from '../auth-state.ts'
import { firstAdministrator } from '../directory.ts'
import { identityById } from '../identity.sql.ts'

/** Sessions are switched off: everybody is the first administrator. */
export async function localSession(ctx: Context): Promise<ActiveSession | undefined> {
  const now = ctx.clock.now()
  return authState(ctx).sessions.get('local', now.getTime(), async () => {
    const principal = await firstAdministrator(ctx.db)
    const identity = principal && (await identityById(ctx.db, principal.id))
    if (!principal || !identity) return undefined
    const json = JSON.parse(JSON.stringify(identity)) as ActiveSession['identity']
    return {
      // Not a stored session, so the identity's own id stands in.
      id: identity.id,
      issued_at: now,
      authenticated_at: now,
      expires_at: new Date(now.getTime() + 24 * 3_600_000),
      aal: 'aal1',
      amr: [],
      active: true,
      user_agent: null,
      ip: null,
      identity: json,
      principal,
      second_factor: false,
      tokenHash: '',
    }
  })
}

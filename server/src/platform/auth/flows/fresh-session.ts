import { refreshRequired, sessionInactive } from './flow-errors.ts'
import type { FlowCall, FlowRecord } from './flow.ts'

export const freshMinutes = 15

/** What opens the account to others is changed only soon after signing in. */
export function demandFreshSession({ ctx, session, base }: FlowCall, flow: FlowRecord): void {
  if (!session) throw sessionInactive()
  const age = ctx.clock.now().getTime() - session.authenticated_at.getTime()
  if (age <= freshMinutes * 60_000) return
  const back = encodeURIComponent(`/profile-settings?flow=${flow.id}`)
  throw refreshRequired(`${base}/self-service/login/browser?refresh=true&return_to=${back}`)
}

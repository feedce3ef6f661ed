import { paths } from '@/app/paths.ts'
import { ApiError, isRecord } from '@/api/errors.ts'
import { errorIdOf, type Flow, type FlowKind, isFlow } from './flows.ts'

/** What the console does about a failed call of a flow. */
export type Reaction =
  /** Show the form again with what is wrong in it. */
  | { kind: 'show'; flow: Flow }
  /** Forget the flow and begin the screen anew. */
  | { kind: 'restart'; toast?: string }
  /** Go to a page of the console. */
  | { kind: 'go'; to: string }
  /** Go to an address the identity service named, which may be another site's. */
  | { kind: 'leave'; href: string }
  | { kind: 'raise'; error: unknown }

interface Place {
  kind: FlowKind
  /** Path and query of the page, to come back to. */
  here: string
}
type React = (redirect: string | undefined, place: Place) => Reaction | undefined

const leaveOr = (redirect: string | undefined, to: string): Reaction =>
  redirect === undefined ? { kind: 'go', to } : { kind: 'leave', href: redirect }

// Settings come back to the page that asked, because the second factor is only a step on the way to it.
const withReturn = (redirect: string | undefined, { kind, here }: Place) => {
  if (redirect === undefined || kind !== 'settings' || !URL.canParse(redirect, window.location.origin)) return redirect
  const address = new URL(redirect, window.location.origin)
  address.searchParams.set('return_to', new URL(here, window.location.origin).href)
  return address.href
}

const reactions: Record<string, React> = {
  session_aal2_required: (redirect, place) =>
    leaveOr(withReturn(redirect, place), paths.loginFor({ aal: 'aal2', return_to: place.here })),
  session_already_available: () => ({ kind: 'go', to: paths.home }),
  session_refresh_required: (redirect, { here }) =>
    leaveOr(redirect, paths.loginFor({ refresh: true, return_to: here })),
  session_inactive: (_redirect, { here }) => ({ kind: 'go', to: paths.loginFor({ return_to: here }) }),
  self_service_flow_return_to_forbidden: () => ({ kind: 'restart', toast: 'The return_to address is not allowed.' }),
  self_service_flow_expired: () => ({
    kind: 'restart',
    toast: 'Your interaction expired, please fill out the form again.',
  }),
  security_csrf_violation: () => ({
    kind: 'restart',
    toast: 'A security violation was detected, please fill out the form again.',
  }),
  security_identity_mismatch: () => ({ kind: 'restart' }),
  browser_location_change_required: (redirect) =>
    redirect === undefined ? undefined : { kind: 'leave', href: redirect },
}

// Only addresses a link could have: a script address here would run in our page.
function redirectOf(body: unknown): string | undefined {
  const redirect = isRecord(body) ? body.redirect_browser_to : undefined
  if (typeof redirect !== 'string' || redirect === '') return undefined
  const address = URL.canParse(redirect, window.location.origin) ? new URL(redirect, window.location.origin) : undefined
  return address && /^https?:$/.test(address.protocol) ? redirect : undefined
}

/** The reaction to a failed call of a flow, by the id of the error, then by its status. */
export function reactionTo(error: unknown, place: Place): Reaction {
  if (!(error instanceof ApiError)) return { kind: 'raise', error }
  const id = errorIdOf(error.body)
  const known = typeof id === 'string' && Object.hasOwn(reactions, id) ? reactions[id] : undefined
  const reaction = known?.(redirectOf(error.body), place)
  if (reaction) return reaction
  if (error.status === 410) return { kind: 'restart' }
  if (error.status === 400 && isFlow(error.body)) return { kind: 'show', flow: error.body }
  return { kind: 'raise', error }
}

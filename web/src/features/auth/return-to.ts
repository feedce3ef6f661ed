import { paths } from '@/app/paths.ts'

// Control characters and backslashes are read by browsers in ways that turn a path into another host.
// oxlint-disable-next-line no-control-regex
const dangerous = /[\u0000-\u001f\u007f\\]/

/** The page of this console that an address means, or `/`: a link must not be able to send people elsewhere after sign-in. */
export function safeReturnTo(value: string | null | undefined, origin = window.location.origin): string {
  if (!value || value.length > 2048 || dangerous.test(value) || !URL.canParse(value, origin)) return paths.home
  const address = new URL(value, origin)
  const path = address.pathname + address.search + address.hash
  const own = address.origin === origin && address.username === '' && !path.startsWith('//')
  // Coming back to the sign-in page would ask for the password again, forever.
  const here = own && !/^\/(api|login|auth-state-checker)(\/|$)/.test(address.pathname)
  return here ? path : paths.home
}

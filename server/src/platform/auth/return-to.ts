/** Control characters and backslashes are read by browsers in ways that turn a path into another host. */
// oxlint-disable-next-line no-control-regex
const dangerous = /[\u0000-\u001f\u007f\\]/

/**
 * The path an address leads to, when it stays on this site; undefined when it does not.
 * Accepted: a path, or a whole address of our own origin. The answer is always a path.
 */
export function safeReturnTo(value: string, origin: string): string | undefined {
  if (value.length > 2048 || dangerous.test(value)) return undefined
  const isPath = value.startsWith('/') && !value.startsWith('//')
  const isOwn = value === origin || value.startsWith(`${origin}/`) || value.startsWith(`${origin}?`)
  if (!isPath && !isOwn) return undefined
  const address = URL.canParse(value, origin) ? new URL(value, origin) : undefined
  if (!address || address.origin !== new URL(origin).origin || address.username || address.password) return undefined
  const path = address.pathname + address.search + address.hash
  // "/.//evil" is normalised to "//evil" by the parser.
  return path.startsWith('//') ? undefined : path
}

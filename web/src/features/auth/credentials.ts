import type { FlowValues } from './flows.ts'

const names = { identifier: ['identifier', 'username', 'email'], password: ['password'] } as const

let held: FlowValues | null = null

/**
 * Takes credentials out of the address of the sign-in page. They leave the address and its history entry at once, before
 * anything else reads it, so that neither a bookmark, nor the back button, nor the next page's referrer has them.
 */
export function captureCredentials() {
  const address = new URL(window.location.href)
  if (address.pathname !== '/login') return
  const taken: FlowValues = {}
  let found = false
  for (const [field, aliases] of Object.entries(names)) {
    for (const alias of aliases) {
      const value = address.searchParams.get(alias)
      if (value === null) continue
      found = true
      address.searchParams.delete(alias)
      taken[field] ??= value
    }
  }
  if (found) window.history.replaceState(window.history.state, '', address)
  if (taken.identifier && taken.password) held = taken
}

/** The credentials the address carried, once. */
export function takeCredentials(): FlowValues | null {
  const taken = held
  held = null
  return taken
}

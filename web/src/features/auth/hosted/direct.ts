import type { Dresser } from '@/api/client.ts'

/** The backend that the browser calls itself, when the organisation is flagged so; null: the console's own server. */
export function backendOf(metadata: Record<string, unknown> | null | undefined): string | null {
  const { direct, backend_url: address } = metadata ?? {}
  if (direct !== true || typeof address !== 'string' || !URL.canParse(address)) return null
  return /^https?:$/.test(new URL(address).protocol) ? address.replace(/\/+$/, '') : null
}

/** Every request carries the provider's token; with a backend of its own, an organisation's requests go there. */
export function dresserFor(getToken: () => Promise<string | null>, backend: string | null): Dresser {
  return async ({ address, headers }) => {
    const token = await getToken()
    return {
      address: backend === null ? address : backend + address.replace(/^\/api(?=\/|$)/, ''),
      headers: token ? { ...headers, Authorization: `Bearer ${token}` } : headers,
    }
  }
}

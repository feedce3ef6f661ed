import {
  allowInsecureRequests,
  type Configuration,
  customFetch,
  type CustomFetchOptions,
  discovery,
} from 'openid-client'
import type { OidcProvider } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { networkOf } from '../../network/dialer.ts'
import { httpRequest } from '../../network/request.ts'

const timeoutMs = 10_000
const maxBytes = 1024 * 1024

const found = new WeakMap<OidcProvider, Promise<Configuration>>()

/** The provider as its own discovery document describes it; asked once, again after a failure. */
export function providerConfiguration(ctx: Context, provider: OidcProvider): Promise<Configuration> {
  const known = found.get(provider)
  if (known) return known
  const asked = discovery(new URL(provider.issuer), provider.client_id, provider.client_secret, undefined, {
    execute: provider.issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    [customFetch]: throughDialer(ctx),
    timeout: timeoutMs / 1000,
  })
  found.set(provider, asked)
  asked.catch(() => found.delete(provider))
  return asked
}

/** Outgoing requests go through the one dialer, whose policy holds for providers too. */
const throughDialer = (ctx: Context) => async (url: string, options: CustomFetchOptions) => {
  const { status, headers, body } = await httpRequest(networkOf(ctx), url, {
    method: options.method,
    headers: options.headers,
    ...(options.body ? { body: bodyOf(options.body) } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    maxRedirects: 0,
    timeoutMs,
    maxBytes,
  })
  const flat = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  // The body is unpacked already.
  const kept = flat.filter(([name]) => !['content-encoding', 'content-length', 'transfer-encoding'].includes(name))
  return new Response(status === 204 ? null : new Uint8Array(body), { status, headers: kept })
}

const bodyOf = (body: NonNullable<CustomFetchOptions['body']>): string | Uint8Array =>
  body instanceof Uint8Array ? body : String(body as string | URLSearchParams)

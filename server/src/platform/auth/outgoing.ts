import type { Context } from '../../context.ts'
import { networkOf } from '../network/dialer.ts'
import { httpRequest } from '../network/request.ts'

const timeoutMs = 10_000
const maxBytes = 1024 * 1024

interface Options {
  method?: string
  headers?: Headers | Record<string, string>
  body?: unknown
  signal?: AbortSignal | null
}

/**
 * A `fetch` for libraries that talk to identity providers: it goes through the one dialer, whose policy holds for them
 * too, and follows no redirects.
 */
export const fetchThrough =
  (ctx: Context) =>
  async (url: string, { method, headers = {}, body, signal }: Options = {}): Promise<Response> => {
    const answer = await httpRequest(networkOf(ctx), url, {
      ...(method ? { method } : {}),
      headers: Object.fromEntries(headers instanceof Headers ? headers : Object.entries(headers)),
      ...(body ? { body: body instanceof Uint8Array ? body : String(body as string | URLSearchParams) } : {}),
      ...(signal ? { signal } : {}),
      maxRedirects: 0,
      timeoutMs,
      maxBytes,
    })
    const flat = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    )
    // The body is unpacked already.
    const kept = flat.filter(([name]) => !['content-encoding', 'content-length', 'transfer-encoding'].includes(name))
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answer.body), { status: answer.status, headers: kept })
  }

import { vi } from 'vitest'

export interface FakeRequest {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
  headers: Record<string, string>
}
type Answer = Response | object | string | null | undefined
type Handler = (request: FakeRequest) => Answer | Promise<Answer>

export const answer = (status: number, body?: unknown) =>
  new Response(body === undefined ? null : JSON.stringify(body), { status })

/**
 * Answers the console's calls by `METHOD /path`; a call nobody answers is a 404, as on a real server. Tests may add and
 * replace handlers while they run, and read what was asked.
 */
export function fakeServer(handlers: Record<string, Handler | object> = {}) {
  const calls: FakeRequest[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://localhost')
    const request: FakeRequest = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: init.headers as Record<string, string>,
    }
    calls.push(request)
    const handler = handlers[`${request.method} ${request.path}`]
    if (handler === undefined) return answer(404, { message: 'Not Found' })
    const given = typeof handler === 'function' ? await (handler as Handler)(request) : handler
    return given instanceof Response ? given.clone() : answer(200, given)
  })
  return {
    handlers,
    calls,
    /** Calls as `METHOD /path?query`, in order. */
    asked: (prefix = '') =>
      calls
        .map(({ method, path, query }) => `${method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`)
        .filter((line) => line.includes(prefix)),
  }
}

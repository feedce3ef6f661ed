import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { buildConsoleOnly } from '../../console-only.ts'
import { withoutPrefix } from './forward.ts'

const log = pino({ level: 'silent' })
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Answer = (request: IncomingMessage & { text: string }, response: ServerResponse) => void

async function backend(answer: Answer): Promise<string> {
  const server: Server = createHttpServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => answer(Object.assign(request, { text }), response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

async function consoleFor(url: string, settings: Record<string, string> = {}): Promise<string> {
  const app: FastifyInstance = await buildConsoleOnly(
    readConfig({ BACKEND_URL: url, ...settings }),
    log,
    '/nonexistent',
  )
  closers.push(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
}

/** Answers with what it was asked; like the reference backend it knows nothing under /api. */
const echo: Answer = (request, response) => {
  if (request.url === '/api/_health') return void response.writeHead(404).end('{"message":"Not Found"}')
  const { method, url, headers, text } = request
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ method, url, headers, text }))
}

test('paths without the prefix', () => {
  expect(withoutPrefix('/api/db/checks?id=eq.1', false)).toBe('/db/checks?id=eq.1')
  expect(withoutPrefix('/api/.ory/sessions/whoami', false)).toBe('/kratos/sessions/whoami')
  expect(withoutPrefix('/api/canary/api/summary', false)).toBe('/canary/api/summary')
  expect(withoutPrefix('/api/canary/api/summary', true)).toBe('/api/summary')
  expect(withoutPrefix('/api/canary?x=1', true)).toBe('/?x=1')
  expect(withoutPrefix('/api/canaryx', true)).toBe('/canaryx')
  expect(withoutPrefix('/api/.oryx', false)).toBe('/.oryx')
})

describe('console-only mode', () => {
  test('takes /api off for a backend that answers at its root', async () => {
    const url = await consoleFor(await backend(echo))
    const answer = await fetch(`${url}/api/db/checks?select=*&name=eq.%C3%A4`, {
      method: 'PATCH',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', prefer: 'count=exact', cookie: 'a=b', 'x-request-id': 'r-1' },
    }).then((response) => response.json() as Promise<{ headers: object }>)
    expect(answer).toMatchObject({ method: 'PATCH', url: '/db/checks?select=*&name=eq.%C3%A4', text: '{"a":1}' })
    expect(answer.headers).toMatchObject({
      prefer: 'count=exact',
      cookie: 'a=b',
      'content-length': '7',
      'x-request-id': 'r-1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(url).host,
    })
  })

  test('leaves /api on for a backend that answers under it, and keeps a base path', async () => {
    const target = await backend((request, response) => {
      if (request.url === '/deck/api/_health') return void response.end('{"health":"ok"}')
      response.end(request.url)
    })
    const url = await consoleFor(`${target}/deck/`)
    expect(await (await fetch(`${url}/api/.ory/sessions/whoami`)).text()).toBe('/deck/api/.ory/sessions/whoami')
  })

  test('keeps status, lists of cookies and Content-Range', async () => {
    const url = await consoleFor(
      await backend((_, response) => {
        response
          .writeHead(206, { 'set-cookie': ['a=1; Path=/', 'b=2; HttpOnly'], 'content-range': '0-9/120' })
          .end('[]')
      }),
    )
    const answer = await fetch(`${url}/api/db/checks`)
    expect(answer.status).toBe(206)
    expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; HttpOnly'])
    expect(answer.headers.get('content-range')).toBe('0-9/120')
  })

  test('streams events as they come and tells the backend when the browser leaves', async () => {
    let left = false
    const url = await consoleFor(
      await backend((request, response) => {
        if (request.url === '/api/_health') return void response.writeHead(404).end()
        response.on('close', () => (left = true))
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: 1\n\n')
        setTimeout(() => response.write('data: 2\n\n'), 150)
      }),
    )
    const stop = new AbortController()
    const answer = await fetch(`${url}/api/events`, { signal: stop.signal })
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    const begun = Date.now()
    expect((await reader.read()).value).toBe('data: 1\n\n')
    expect(Date.now() - begun).toBeLessThan(140)
    expect((await reader.read()).value).toBe('data: 2\n\n')
    stop.abort()
    for (let i = 0; i < 50 && !left; i++) await sleep(20)
    expect(left).toBe(true)
  })

  test('passes large bodies through', async () => {
    const url = await consoleFor(await backend((request, response) => response.end(String(request.text.length))))
    const answer = await fetch(`${url}/api/upstream/push`, { method: 'POST', body: 'x'.repeat(10_000_000) })
    expect(await answer.text()).toBe('10000000')
  })

  test('a backend that is down gives 502 as JSON, and works once it is up', async () => {
    const target = await backend(echo)
    const closed = closers.pop()!
    await closed()
    const url = await consoleFor(target)
    const answer = await fetch(`${url}/api/db/checks`)
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({
      code: 'bad_gateway',
      message: 'The backend cannot be reached',
      details: 'ECONNREFUSED',
    })
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const again = createHttpServer((_, response) => response.end('[]'))
    await new Promise<void>((resolve) => again.listen(Number(new URL(target).port), '127.0.0.1', resolve))
    closers.push(() => (again.closeAllConnections(), again.close()))
    expect((await fetch(`${url}/api/db/checks`)).status).toBe(200)
  })

  test('says what the backend offers, and what a backend without that answer can be', async () => {
    const plain = await consoleFor(await backend(echo), { QUARTERDECK_AUTH: 'plain' })
    expect(await (await fetch(`${plain}/api/v1/capabilities`)).json()).toMatchObject({ auth: 'plain', live: false })
    const offered = {
      version: '9',
      auth: 'builtin',
      deployment: 'full',
      areas: ['health'],
      live: true,
      search: true,
      snippets: false,
    }
    const rich = await consoleFor(await backend((_, response) => response.end(JSON.stringify(offered))))
    expect(await (await fetch(`${rich}/api/v1/capabilities`)).json()).toEqual(offered)
  })
})

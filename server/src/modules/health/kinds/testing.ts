import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { readConfig } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { sharedExpressions } from '../../../platform/expressions/expressions.ts'
import type { CanaryIdentity, CheckKind } from '../kind.ts'
import { evaluatorOver } from '../run/evaluator.ts'
import type { Finished } from '../run/finish.ts'
import { runCheck } from '../run/run-check.ts'

/** A context as tests of kinds need it: settings and, where given, a database. */
export const testContext = (settings: Record<string, string> = {}, more: Partial<Context> = {}): Context =>
  ({ config: readConfig(settings), clock: { now: () => new Date() }, ...more }) as Context

const shared = testContext()

/** Runs one check of a kind from its raw spec, as the engine would, and gives all results. */
export async function runAll(
  kind: CheckKind<never>,
  raw: object,
  { ctx = shared, canary = {}, stop }: { ctx?: Context; canary?: Partial<CanaryIdentity>; stop?: AbortSignal } = {},
): Promise<Finished[]> {
  const each = kind as unknown as CheckKind
  const spec = each.schema.parse({ name: 'c', ...raw })
  const identity = { id: 'i', name: 'c', type: each.key, labels: {}, endpoint: each.endpoint(spec) }
  return runCheck(
    { ctx, evaluator: evaluatorOver(sharedExpressions(), ctx.db) },
    { id: 'c', name: 'n', namespace: 'default', labels: {}, ...canary },
    { kind: each, spec, identity },
    { lastResult: async () => ({}), stop },
  )
}

export async function runOne(...args: Parameters<typeof runAll>): Promise<Finished> {
  return (await runAll(...args))[0]!
}

export async function listening(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A web server for one test file; `seen` holds what was asked. */
export async function fakeServer(handler: Handler): Promise<{
  url: string
  port: number
  seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
  close(): void
}> {
  const seen: Awaited<ReturnType<typeof fakeServer>>['seen'] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
      handler(request, response, body)
    })
  }
  const server: Server = createServer(listener)
  const port = await listening(server)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, port, seen, close }
}

export const json = (response: ServerResponse, value: unknown, code = 200): void => {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

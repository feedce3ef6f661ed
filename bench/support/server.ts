import { pino } from 'pino'
import type { Context } from '../../server/src/context.ts'
import { registerDataApi } from '../../server/src/data-api/data-api.ts'
import { openDb } from '../../server/src/platform/db/db.ts'
import { idleLive } from '../../server/src/platform/events/idle.ts'
import { createServer } from '../../server/src/platform/http/server.ts'

/** Who asks: somebody who may read everything. */
export const principal = {
  kind: 'person',
  id: '018f0000-0000-7000-9000-000000000001',
  name: 'Bench',
  email: null,
  roles: ['viewer'],
} as const

/** A server that measures one part of the product: the data API, and what a bench mounts beside it. */
export async function benchServer() {
  const url = process.argv[2]!
  const log = pino({ level: 'silent' })
  const db = openDb({ url })
  const ctx = { db, log, live: idleLive, clock: { now: () => new Date() } } as Context
  const app = await createServer({ log, trustedProxies: ['loopback'] })
  const api = await registerDataApi(app, ctx, { prefix: '/api/db', principalOf: () => principal })
  await api.reload()
  return { url, db, ctx, app }
}

/** Tells the bench the address, and ends with it. */
export async function serve(app: Awaited<ReturnType<typeof createServer>>): Promise<void> {
  process.send!(await app.listen({ host: '127.0.0.1', port: 0 }))
  process.on('disconnect', () => process.exit())
}

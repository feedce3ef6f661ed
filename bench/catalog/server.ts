import { pino } from 'pino'
import type { Context } from '../../server/src/context.ts'
import { registerDataApi } from '../../server/src/data-api/data-api.ts'
import { catalogReadRoutes } from '../../server/src/modules/catalog/read/catalog-read.routes.ts'
import { type Db, openDb } from '../../server/src/platform/db/db.ts'
import { idleLive } from '../../server/src/platform/events/idle.ts'
import { mountRoute } from '../../server/src/platform/http/mount.ts'
import { createServer } from '../../server/src/platform/http/server.ts'
import { queriesOf } from './statements.ts'

/** The server of bench/catalog/read.ts: the reading API of the catalog, and the statements behind a request. */
const url = process.argv[2]!
const log = pino({ level: 'silent' })
const plain = openDb({ url })
const recorded: { text: string; values: unknown[] }[] = []
let isRecording = false
const db: Db = {
  ...plain,
  query: (text, values = []) => {
    if (isRecording) recorded.push({ text, values })
    return plain.query(text, values)
  },
  one: (text, values = []) => {
    if (isRecording) recorded.push({ text, values })
    return plain.one(text, values)
  },
}
const ctx = { db, log, live: idleLive, clock: { now: () => new Date() } } as Context
const app = await createServer({ log, trustedProxies: ['loopback'] })
const principal = {
  kind: 'person',
  id: '018f0000-0000-7000-9000-000000000001',
  name: 'Bench',
  email: null,
  roles: ['viewer'],
} as const
for (const route of catalogReadRoutes()) mountRoute(app, ctx, route, `/api${route.path}`, async () => principal)
const api = await registerDataApi(app, { ...ctx, db: plain }, { prefix: '/api/db', principalOf: () => principal })
await api.reload()

const readQueries = await queriesOf(plain)
// What a request asks of the database: a data API request by its plan, another by listening while it runs alone.
app.post('/statements', async (request) => {
  const { method, path, body } = request.body as { method: 'GET' | 'POST'; path: string; body?: object }
  if (path.startsWith('/api/db')) return [readQueries(path.slice('/api/db'.length))]
  recorded.length = 0
  isRecording = true
  await app.inject({ method, url: path, ...(body && { payload: body }) })
  isRecording = false
  return [...recorded]
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send!(address)
process.on('disconnect', () => process.exit())

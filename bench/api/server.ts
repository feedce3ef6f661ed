import { pino } from 'pino'
import pg from 'pg'
import type { Context } from '../../server/src/context.ts'
import { registerDataApi } from '../../server/src/data-api/data-api.ts'
import { loadSchema } from '../../server/src/data-api/schema-cache.ts'
import { openDb } from '../../server/src/platform/db/db.ts'
import { idleLive } from '../../server/src/platform/events/idle.ts'
import { createServer } from '../../server/src/platform/http/server.ts'
import { apiCases } from './cases.ts'
import { statementOf } from './statement.ts'

/** The server of bench/api.ts: the data API, and beside it bare routes that run the same SQL through the driver. */
const url = process.argv[2]!
const log = pino({ level: 'silent' })
const db = openDb({ url })
const schema = await loadSchema(db)
const app = await createServer({ log, trustedProxies: ['loopback'] })
const principal = {
  kind: 'person',
  id: '018f0000-0000-7000-9000-000000000001',
  name: 'Bench',
  email: null,
  roles: ['viewer'],
} as const
const api = await registerDataApi(app, { db, log, live: idleLive, clock: { now: () => new Date() } } as Context, {
  prefix: '/api/db',
  principalOf: () => principal,
})
await api.reload()

const pool = new pg.Pool({ connectionString: url, max: 10 })
pool.on('error', () => process.exit())
for (const [name, one] of Object.entries(apiCases)) {
  const { text, values } = statementOf(schema, one)
  app.get(`/plain/${name}`, async (_, reply) => {
    const { rows } = await pool.query<{ body: string }>(text, values)
    return reply.type('application/json; charset=utf-8').send(rows[0]!.body)
  })
  app.get(`/statement/${name}`, (_, reply) => reply.send({ text, values }))
}
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send!(address)
process.on('disconnect', () => process.exit())

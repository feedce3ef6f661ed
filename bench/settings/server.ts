import { pino } from 'pino'
import type { Context } from '../../server/src/context.ts'
import { registerDataApi } from '../../server/src/data-api/data-api.ts'
import { loadSchema } from '../../server/src/data-api/schema-cache.ts'
import { jobStatistics } from '../../server/src/modules/jobs/statistics.sql.ts'
import { openDb } from '../../server/src/platform/db/db.ts'
import { idleLive } from '../../server/src/platform/events/idle.ts'
import { createServer } from '../../server/src/platform/http/server.ts'
import { statementOf } from '../api/statement.ts'
import { settingsCases } from './cases.ts'

/** The server of bench/settings.ts: the data API, the statistics, and the statements for the driver. */
const url = process.argv[2]!
const log = pino({ level: 'silent' })
const db = openDb({ url })
const schema = await loadSchema(db)
const app = await createServer({ log, trustedProxies: ['loopback'] })
const api = await registerDataApi(app, { db, log, live: idleLive, clock: { now: () => new Date() } } as Context, {
  prefix: '/api/db',
  principalOf: () => ({
    kind: 'person',
    id: '018f0000-0000-7000-9000-000000000001',
    name: 'Bench',
    email: null,
    roles: ['viewer'],
  }),
})
await api.reload()
for (const [name, one] of Object.entries(settingsCases)) {
  const statement = statementOf(schema, one)
  app.get(`/statement/${name}`, (_, reply) => reply.send(statement))
}
app.get('/statistics', () => jobStatistics(db, 200))
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send!(address)
process.on('disconnect', () => process.exit())

import pg from 'pg'
import { loadSchema } from '../../server/src/data-api/schema-cache.ts'
import { benchServer, serve } from '../support/server.ts'
import { apiCases } from './cases.ts'
import { statementOf } from './statement.ts'

/** The server of bench/api.ts: the data API, and beside it bare routes that run the same SQL through the driver. */
const { url, db, app } = await benchServer()
const schema = await loadSchema(db)
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
await serve(app)

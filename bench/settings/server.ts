import { loadSchema } from '../../server/src/data-api/schema-cache.ts'
import { jobStatistics } from '../../server/src/modules/jobs/statistics.sql.ts'
import { statementOf } from '../api/statement.ts'
import { benchServer, serve } from '../support/server.ts'
import { settingsCases } from './cases.ts'

/** The server of bench/settings.ts: the data API, the statistics, and the statements for the driver. */
const { db, app } = await benchServer()
const schema = await loadSchema(db)
for (const [name, one] of Object.entries(settingsCases)) {
  const statement = statementOf(schema, one)
  app.get(`/statement/${name}`, (_, reply) => reply.send(statement))
}
app.get('/statistics', () => jobStatistics(db, 200))
await serve(app)

import { catalogReadRoutes } from '../../server/src/modules/catalog/read/catalog-read.routes.ts'
import type { Db } from '../../server/src/platform/db/db.ts'
import { mountRoute } from '../../server/src/platform/http/mount.ts'
import { benchServer, principal, serve } from '../support/server.ts'
import { queriesOf } from './statements.ts'

/** The server of bench/catalog/read.ts: the reading API of the catalog, and the statements behind a request. */
const { db: plain, ctx, app } = await benchServer()
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
for (const route of catalogReadRoutes())
  mountRoute(app, { ...ctx, db }, route, `/api${route.path}`, async () => principal)

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
await serve(app)

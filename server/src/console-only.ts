import { Capabilities } from '@quarterdeck/contract/capabilities'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { isPageRequest, sendPage, serveConsole } from './platform/http/console-files.ts'
import { errorBody } from './platform/http/error-answer.ts'
import { type Backend, connectBackend, forwardApi } from './platform/http/forward.ts'
import { addHealthRoutes } from './platform/http/health.ts'
import { createServer } from './platform/http/server.ts'
import { createMetrics, measureRequests } from './platform/metrics.ts'
import { consoleFolder, version } from './platform/paths.ts'

/** The console in front of another server of the same API: no database, no engines; /api goes to BACKEND_URL. */
export async function buildConsoleOnly(config: Config, log: Logger, folder = consoleFolder): Promise<FastifyInstance> {
  const backend = connectBackend({ url: config.BACKEND_URL!, healthOnly: config.QUARTERDECK_DEPLOYMENT === 'health' })
  const metrics = createMetrics()
  const app = await createServer({ log, trustedProxies: config.QUARTERDECK_TRUSTED_PROXIES })
  measureRequests(app, metrics)
  addHealthRoutes(app, { ready: async () => void (await backend.get('/api/_health')), needs: 'the backend', metrics })
  app.get('/api/_health', () => ({ health: 'ok' }))
  app.get('/api/v1/capabilities', () => capabilities(config, backend))
  await forwardApi(app, backend)
  await serveConsole(app, folder)
  app.setNotFoundHandler((request, reply) =>
    isPageRequest(request) ? sendPage(reply, folder) : reply.code(404).send(errorBody('not_found', 'Not Found')),
  )
  return app
}

/** What the backend says it offers; one that does not know the question offers what our settings say and no extras. */
async function capabilities(config: Config, backend: Backend): Promise<Capabilities> {
  const { status, text } = await backend.get('/api/v1/capabilities')
  if (status === 200) {
    const parsed = Capabilities.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
  }
  const auth = config.QUARTERDECK_AUTH === 'builtin' ? 'kratos' : config.QUARTERDECK_AUTH
  const deployment = config.QUARTERDECK_DEPLOYMENT
  return { version, auth, deployment, areas: [], live: false, search: false, snippets: false }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

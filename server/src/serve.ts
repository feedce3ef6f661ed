import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApiApp, buildApp, buildHealthApp } from './app.ts'
import { keyFileOf, openDatabase } from './boot.ts'
import type { Config } from './config.ts'
import { buildConsoleOnly } from './console-only.ts'
import { type Context, systemClock } from './context.ts'
import { closeStreams } from './modules/events/live.routes.ts'
import { ensureFirstAdministrator, type FirstAdministrator } from './modules/people/first-administrator.ts'
import { prepareAuth } from './platform/auth/prepare.ts'
import { migrate } from './platform/db/migrate.ts'
import { StartupError } from './platform/errors.ts'
import { createLive } from './platform/events/live.ts'
import { listen, requireFreePort } from './platform/http/listen.ts'
import { createLog } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { networkPolicy } from './platform/network/policy.ts'
import { registerQueueMetrics } from './platform/queue/metrics.ts'
import { createQueue, installQueue } from './platform/queue/queue.ts'
import { fileSecrets } from './platform/secrets/file-secrets.ts'
import { requireKeys } from './platform/secrets/rotation.ts'
import { type Shutdown, shutdown } from './shutdown.ts'
import { buildWorker } from './worker.ts'

const tell = (line: string) => void process.stderr.write(`${line}\n`)

export interface ServeOptions {
  role: 'all' | 'web' | 'worker'
  /** Where a worker answers /healthz, /readyz and /metrics; nowhere when not given. */
  healthPort?: number
}

/** Runs the product until it is told to stop. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  const log = createLog(config.LOG_LEVEL)
  const stopping = shutdown(log)
  try {
    await boot(config, options, log, stopping)
  } catch (error) {
    await stopping.unlessStopping()
    await stopping.undo()
    throw error
  }
}

async function boot(config: Config, options: ServeOptions, log: Logger, stopping: Shutdown): Promise<void> {
  const { role } = options
  const isWeb = role !== 'worker'
  if (isWeb) await requireFreePort(config.HOST, config.PORT, 'PORT')
  if (isWeb && config.QUARTERDECK_API_PORT)
    await requireFreePort(config.HOST, config.QUARTERDECK_API_PORT, 'QUARTERDECK_API_PORT')

  if (config.BACKEND_URL) {
    if (!isWeb)
      throw new StartupError('A worker needs a database of its own: unset BACKEND_URL, or start with --role web.')
    const app = await buildConsoleOnly(config, log)
    stopping.onStop('web server', () => drain(app))
    process.stdout.write(`Quarterdeck ready on ${await listen(app, config.HOST, config.PORT)}\n`)
    return
  }

  // The engines read these when they first reach out; a mistake in them is told now.
  networkPolicy({ allow: config.QUARTERDECK_NETWORK_ALLOW, deny: config.QUARTERDECK_NETWORK_DENY })
  await prepareAuth({ config, log })
  const { db, close } = await openDatabase({ config, log, tell, join: role === 'worker' })
  stopping.onStop('database', close)
  await migrate(db, {
    onProgress: ({ name, done, total }) => tell(`Preparing the database: ${name} (${done + 1} of ${total}) …`),
  })
  await installQueue(db)

  const keyFile = keyFileOf(config)
  const secrets = fileSecrets(keyFile)
  await requireKeys(db, secrets.keys(), keyFile)
  const live = createLive({ db, log })
  stopping.onStop('live stream', () => live.close())
  const metrics = createMetrics(db.pool)
  const ctx: Context = {
    config,
    log,
    db,
    clock: systemClock,
    queue: createQueue(),
    live,
    secrets,
    metrics,
  }

  // A worker would have nobody to tell the password to.
  const admin = isWeb ? await ensureFirstAdministrator(ctx) : undefined

  registerQueueMetrics(ctx, metrics)
  const worker =
    role === 'web' ? undefined : buildWorker(ctx, { roles: role === 'all' ? ['web', 'worker'] : ['worker'] })
  if (worker) stopping.onStop('worker', () => worker.stop())
  if (!isWeb) {
    await worker?.start()
    if (options.healthPort !== undefined) {
      const app = await buildHealthApp(ctx, { metrics })
      stopping.onStop('health server', () => drain(app))
      log.info({ address: await listen(app, config.HOST, options.healthPort, '--port') }, 'health and metrics')
    }
    process.stdout.write('Quarterdeck worker ready\n')
    return
  }

  const app = await buildApp(ctx, { metrics })
  stopping.onStop('web server', () => drain(app))
  if (config.QUARTERDECK_API_PORT !== undefined) {
    const api = await buildApiApp(ctx, { metrics })
    stopping.onStop('API server', () => drain(api))
    const apiAddress = await listen(api, config.HOST, config.QUARTERDECK_API_PORT, 'QUARTERDECK_API_PORT')
    log.info({ address: apiAddress }, 'the API without prefix')
  }
  const address = await listen(app, config.HOST, config.PORT)
  // Only now: the first check of the product's own address should find it.
  await worker?.start()
  process.stdout.write(`Quarterdeck ready on ${address}\n`)
  if (admin) process.stdout.write(`${signInWords(config, admin)}\n`)
}

/** Said once, at the start that made the first administrator. */
function signInWords(config: Config, { email, password }: FirstAdministrator): string {
  if (config.QUARTERDECK_AUTH !== 'builtin') return `The first administrator is ${email}.`
  if (password === undefined) return `Sign in as ${email} with the password of QUARTERDECK_ADMIN_PASSWORD.`
  return `Sign in as ${email} with the password ${password} (shown this once; change it under your name in the console).`
}

/** Lets running requests finish for a few seconds; streams end at once, their clients reconnect elsewhere. */
async function drain(app: FastifyInstance): Promise<void> {
  closeStreams()
  const cut = setTimeout(() => app.server.closeAllConnections(), 3000)
  await app.close()
  clearTimeout(cut)
}

import { type Deployment, hasRelation, hasRoute } from '@quarterdeck/contract/deployment'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Context } from './context.ts'
import { registerDataApi } from './data-api/data-api.ts'
import { type AccessRules, contractRules } from './data-api/plan/access.ts'
import { catalogRoutes } from './modules/catalog/catalog.routes.ts'
import { catalogReadRoutes } from './modules/catalog/read/catalog-read.routes.ts'
import { registerConnectionHooks } from './modules/connections/connections.hooks.ts'
import { connectionRoutes } from './modules/connections/connections.routes.ts'
import { registerScraperRules } from './modules/catalog/scraper-rules.ts'
import { eventRoutes } from './modules/events/events.routes.ts'
import { liveRoutes } from './modules/events/live.routes.ts'
import { flagRoutes } from './modules/flags/flags.routes.ts'
import { healthRoutes } from './modules/health/health.routes.ts'
import { integrationRoutes } from './modules/integrations/integrations.routes.ts'
import { auditResources } from './modules/integrations/resource-audit.ts'
import { registerResourceRules } from './modules/integrations/resource-rules.ts'
import { jobRoutes } from './modules/jobs/jobs.routes.ts'
import { registerPeopleHooks } from './modules/people/people.hooks.ts'
import { peopleRoutes } from './modules/people/people.routes.ts'
import { protectRowsOfFiles } from './modules/resources/read-only.ts'
import { resourceRoutes } from './modules/resources/resources.routes.ts'
import { searchRoutes } from './modules/search/search.routes.ts'
import { selectorRoutes } from './modules/selectors/selectors.routes.ts'
import { artifactRoutes } from './modules/system/artifacts.routes.ts'
import { systemRoutes } from './modules/system/system.routes.ts'
import { authenticate } from './platform/auth/authenticate.ts'
import { clerkHost } from './platform/auth/modes/clerk.ts'
import { identityRoutes } from './platform/auth/identity.routes.ts'
import { isPageRequest, sendPage, serveConsole } from './platform/http/console-files.ts'
import { errorBody } from './platform/http/error-answer.ts'
import { addHealthRoutes } from './platform/http/health.ts'
import { methodFinder } from './platform/http/methods.ts'
import { mountRoute } from './platform/http/mount.ts'
import type { Route } from './platform/http/route.ts'
import { createServer } from './platform/http/server.ts'
import { createMetrics, measureRequests } from './platform/metrics.ts'
import { consoleFolder } from './platform/paths.ts'
import { allJobs } from './worker.ts'

/** Every route outside the data API that this deployment has, by area. */
export function routesOf(deployment: Deployment): Route[] {
  const offers = { areas: ['health', 'catalog'], live: true, search: true }
  const all: Route[] = [
    ...systemRoutes(() => routes, offers),
    ...artifactRoutes,
    ...identityRoutes,
    ...peopleRoutes,
    ...flagRoutes,
    ...connectionRoutes,
    ...healthRoutes,
    ...catalogRoutes,
    ...catalogReadRoutes(),
    ...eventRoutes(),
    ...liveRoutes(),
    ...searchRoutes(),
    ...selectorRoutes,
    ...jobRoutes(allJobs),
    ...resourceRoutes(),
    ...integrationRoutes,
  ]
  const routes = all.filter(({ path }) => hasRoute(deployment, path))
  return routes
}

export interface AppOptions {
  /** Where the built console lies. */
  console?: string
  /** Shared by both listeners of a process. */
  metrics?: Registry
}

/** The product on one port: the API under /api, everything else is the console. Does not listen. */
export async function buildApp(ctx: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const folder = options.console ?? consoleFolder
  const app = await baseServer(ctx, options)
  const missing = await mountApi(app, ctx, (path) => `/api${path}`)
  await serveConsole(app, folder)
  app.setNotFoundHandler((request, reply) =>
    isPageRequest(request) ? sendPage(reply, folder) : missing(request, reply),
  )
  return app
}

/** The same API at the root of a port of its own, for clients that expect it there; identity answers under /kratos. */
export async function buildApiApp(ctx: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = await baseServer(ctx, options)
  app.get('/health', (_, reply) => reply.type('text/plain').send('OK'))
  const isHealthOnly = ctx.config.QUARTERDECK_DEPLOYMENT === 'health'
  app.setNotFoundHandler(await mountApi(app, ctx, atRoot, isHealthOnly ? withoutCanary : undefined))
  return app
}

const atRoot = (path: string) => path.replace(/^\/\.ory(?=\/|$)/, '/kratos')
/** Clients of a health-only server expect the check service at the root itself. */
const withoutCanary = (path: string) => (path.startsWith('/canary/') ? path.slice('/canary'.length) : undefined)

/** Only what watches the process; for workers. */
export async function buildHealthApp(ctx: Context, options: AppOptions = {}): Promise<FastifyInstance> {
  const app = await baseServer(ctx, options)
  app.setNotFoundHandler((_, reply) => reply.code(404).send(errorBody('not_found', 'Not Found')))
  return app
}

async function baseServer(
  ctx: Context,
  { metrics = createMetrics(ctx.db.pool) }: AppOptions,
): Promise<FastifyInstance> {
  const app = await createServer({
    log: ctx.log,
    trustedProxies: ctx.config.QUARTERDECK_TRUSTED_PROXIES,
    snippets: ctx.config.QUARTERDECK_UI_SNIPPETS,
    origins: ctx.config.QUARTERDECK_ALLOWED_ORIGINS,
    ambient: ctx.config.QUARTERDECK_AUTH === 'none',
    ...(ctx.config.QUARTERDECK_AUTH === 'clerk' ? { hosted: `https://${clerkHost(ctx.config)}` } : {}),
  })
  measureRequests(app, metrics)
  addHealthRoutes(app, { ready: () => databaseAnswers(ctx), needs: 'the database', metrics })
  return app
}

/** Registers every route where `place` puts it, and under a second name where `also` has one; answers calls that match none. */
async function mountApi(
  app: FastifyInstance,
  ctx: Context,
  place: (path: string) => string,
  also: (path: string) => string | undefined = () => undefined,
) {
  const declared = routesOf(ctx.config.QUARTERDECK_DEPLOYMENT)
  const routes = declared.map((route) => ({ ...route, path: place(route.path) }))
  const names = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  for (const route of declared) {
    const path = also(route.path)
    if (path && !names.has(`${route.method} ${path}`)) routes.push({ ...route, path })
  }
  for (const route of routes) mountRoute(app, ctx, route, route.path, authenticate)
  const principalOf = (request: FastifyRequest) => authenticate(ctx, request)
  const rules = rulesOf(ctx.config.QUARTERDECK_DEPLOYMENT)
  const dataApi = await registerDataApi(app, ctx, { prefix: place('/db'), principalOf, rules })
  registerPeopleHooks(dataApi)
  protectRowsOfFiles(dataApi)
  registerConnectionHooks(dataApi)
  registerResourceRules(dataApi)
  auditResources(dataApi)
  registerScraperRules(dataApi)
  await dataApi.reload()
  const methodsOf = methodFinder(routes)
  return (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsOf(request.url.split('?')[0]!)
    if (allowed.length === 0) return reply.code(404).send(errorBody('not_found', 'Not Found'))
    return reply
      .code(405)
      .header('allow', allowed.join(', '))
      .send(errorBody('method_not_allowed', 'Method Not Allowed'))
  }
}

/** What a deployment does not contain is not there for the data API either, embeds included. */
function rulesOf(deployment: Deployment): AccessRules {
  const kept = <T>(rules: Record<string, T>) =>
    Object.fromEntries(Object.entries(rules).filter(([name]) => hasRelation(deployment, name)))
  return { relations: kept(contractRules.relations), functions: kept(contractRules.functions) }
}

async function databaseAnswers(ctx: Context): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the database does not answer')), 2000).unref()
  })
  await Promise.race([ctx.db.query('select 1'), late])
}

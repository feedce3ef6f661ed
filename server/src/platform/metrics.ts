import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The numbers of this process: Node's own, requests by route, the database pool. Modules add theirs to the registry. */
export function createMetrics(pool?: pg.Pool): Registry {
  const registry = new Registry()
  // Every 10 ms, its own habit, costs more than all an idle server does.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  if (pool) {
    new Gauge({
      name: 'quarterdeck_db_connections',
      help: 'Connections of the database pool',
      labelNames: ['state'],
      registers: [registry],
      collect() {
        this.set({ state: 'idle' }, pool.idleCount)
        this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
        this.set({ state: 'waiting' }, pool.waitingCount)
      },
    })
  }
  return registry
}

/** Measures every request by its route pattern, never by its address: ids would make a series each. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const known = registry.getSingleMetric('quarterdeck_http_request_duration_seconds') as Histogram | undefined
  const duration =
    known ??
    new Histogram({
      name: 'quarterdeck_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    const status = `${Math.floor(reply.statusCode / 100)}xx`
    duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
  })
}

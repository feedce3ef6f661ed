import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'

export interface HealthParts {
  /** Throws while the process cannot serve. */
  ready(): Promise<void>
  /** What is asked for that, in the words of the answer: anybody may read it, so it names no address. */
  needs: string
  metrics: Registry
}

/** For whoever watches the process: /healthz it lives, /readyz it can serve, /metrics its numbers. */
export function addHealthRoutes(app: FastifyInstance, { ready, needs, metrics }: HealthParts): void {
  app.get('/healthz', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await ready()
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      return reply.code(503).send({ status: 'not ready', reason: `${needs} does not answer` })
    }
  })
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.metrics()))
}

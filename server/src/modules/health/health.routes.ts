import { z } from 'zod'
import { anyOf, open, read, route, write } from '../../platform/http/route.ts'
import { badRequest } from '../../platform/errors.ts'
import { checkGraph, checkWithRuns, healthSummary, runDetails } from './health.service.ts'
import { runCheckNow, tryCanary } from './run-now.service.ts'
import { receiveWebhook } from './webhook.service.ts'

const labels = z.record(z.string(), z.string())
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true')
const Graph = z.object({
  check: z.uuid(),
  start: z.string().optional(),
  since: z.string().optional(),
  end: z.string().optional(),
  until: z.string().optional(),
})
const range = (query: z.output<typeof Graph>) => ({
  check: query.check,
  start: query.start ?? query.since,
  end: query.end ?? query.until,
})
const Canary = z.object({
  name: z.string().default('unsaved'),
  namespace: z.string().default('default'),
  labels: labels.nullable().default(null),
  annotations: labels.nullable().default(null),
  spec: z.record(z.string(), z.unknown()),
})

export const healthRoutes = [
  route({
    method: 'GET',
    path: '/canary/api/summary',
    access: read('canaries'),
    summary: 'Every check with its state, uptime and latency of the last hour',
    // Ours: `fields=list` leaves out what the dashboard does not show; another server sends everything.
    query: z.object({ check_id: z.uuid().optional(), fields: z.enum(['all', 'list']).default('all') }),
    handle: async ({ ctx, query, reply }) =>
      reply
        .type('application/json; charset=utf-8')
        .send(await healthSummary(ctx, { checkId: query.check_id, fields: query.fields })),
  }),
  route({
    method: 'POST',
    path: '/canary/api/summary',
    access: read('canaries'),
    summary: 'The same, of the checks with these labels',
    body: z.object({ check_id: z.uuid().optional(), labels: labels.optional() }),
    handle: async ({ ctx, body, reply }) =>
      reply
        .code(200)
        .type('application/json; charset=utf-8')
        .send(await healthSummary(ctx, { checkId: body.check_id, labels: body.labels })),
  }),
  route({
    method: 'GET',
    path: '/canary/api/graph',
    access: read('canaries'),
    summary: 'State and duration of one check over time, with uptime and percentiles',
    query: Graph,
    handle: ({ ctx, query }) => checkGraph(ctx, range(query)),
  }),
  route({
    method: 'GET',
    path: '/canary/api',
    access: read('canaries'),
    summary: 'One check with its newest runs',
    query: Graph.extend({ includeMessages: flag }),
    handle: ({ ctx, query }) => checkWithRuns(ctx, { ...range(query), includeMessages: query.includeMessages }),
  }),
  route({
    method: 'GET',
    path: '/canary/api/details',
    access: read('canaries'),
    summary: 'One run of a check with its details',
    query: z.object({ key: z.uuid(), time: z.string() }),
    handle: ({ ctx, query }) => {
      const time = Date.parse(query.time)
      if (Number.isNaN(time)) throw badRequest(`time is invalid: "${query.time.slice(0, 80)}"`)
      return runDetails(ctx, query.key, new Date(Math.floor(time / 1000) * 1000))
    },
  }),
  route({
    method: 'POST',
    path: '/canary/run/check/:id',
    access: anyOf('admin', 'editor', 'commander', 'responder'),
    summary: 'Runs a check now',
    params: z.object({ id: z.uuid() }),
    handle: ({ ctx, params }) => runCheckNow(ctx, params.id),
  }),
  route({
    method: 'POST',
    path: '/canary/webhook/:name',
    access: open,
    summary: 'Receives a result for a webhook check',
    params: z.object({ name: z.string() }),
    query: z.object({ token: z.string().optional() }),
    handle: ({ ctx, params, query, request }) =>
      receiveWebhook(ctx, {
        name: params.name,
        token: query.token ?? header(request.headers['webhook-token']),
        contentType: request.headers['content-type'] ?? '',
        headers: request.headers,
        body: request.body,
      }),
  }),
  route({
    method: 'POST',
    path: '/v1/canaries/try',
    access: write('canaries'),
    summary: 'Runs the checks of a canary once without saving anything',
    body: Canary,
    handle: ({ ctx, body }) => tryCanary(ctx, body),
  }),
]

const header = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

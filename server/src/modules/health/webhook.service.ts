import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../context.ts'
import { AppError, badRequest, notFound } from '../../platform/errors.ts'
import { type EnvVar, referenceOf } from '../../platform/resolve/reference.ts'
import { resolveValue } from '../../platform/resolve/resolve.ts'
import { Scrubber } from '../../platform/resolve/scrubber.ts'
import { type CanaryRow, identityOf, planCanary } from './canary.ts'
import { lastResultOf } from './health.sql.ts'
import { type StoredResult, storeResults } from './results/results.sql.ts'
import { storeFinished } from './results/store.ts'
import { finish } from './run/finish.ts'
import { storable } from './run/run-check.ts'
import { runtimeOf } from './runtime.ts'
import { keyOf, syncCanaries } from './sync.service.ts'

export interface WebhookCall {
  name: string
  token: string | undefined
  contentType: string
  headers: IncomingHttpHeaders
  body: unknown
}

/** Texts beyond this are cut; a hook is a signal, not an upload. */
const maxContent = 10 * 1024

/** Stores the result that a call to a webhook check reports. It passes unless transform, display or test say otherwise. */
export async function receiveWebhook(ctx: Context, call: WebhookCall): Promise<{ message: string }> {
  const runtime = runtimeOf(ctx)
  const canaries = await ctx.db.query<CanaryRow>(
    `select id, name, namespace, labels, annotations, spec, source from canaries
      where deleted_at is null and agent_id = '00000000-0000-0000-0000-000000000000' and spec -> 'webhook' ->> 'name' = $1 limit 2`,
    [call.name],
  )
  const [canary] = canaries
  if (!canary) throw notFound('a webhook of that name')
  if (canaries.length > 1) throw badRequest('Several canaries have a webhook of that name.')
  const planned = planCanary(canary, runtime.kinds).checks.find((check) => check.key === 'webhook')
  if (!planned?.spec || planned.problem)
    throw badRequest(`The webhook is not set up correctly: ${planned?.problem ?? 'it has no spec'}`)
  const token = await demandToken(ctx, canary, (planned.spec as { token?: EnvVar }).token, call.token)
  const scrubber = new Scrubber()
  scrubber.add(token)

  const isJson = call.contentType === 'application/json'
  const content = isJson ? '' : textOf(call.body).slice(0, maxContent)
  const data = { headers: told(call.headers), json: isJson ? call.body : {}, content }
  const [synced] = await syncCanaries(ctx.db, [canary], runtime.kinds)
  const row = synced?.rows.get(keyOf(planned))
  if (!row) throw notFound('the check of this webhook')
  const finished = await finish(
    {
      outcome: { pass: true, duration: 0, detail: data, data },
      elapsed: 0,
      canary: identityOf(canary),
      check: { id: row.id, name: planned.name, type: planned.type, labels: planned.labels, endpoint: '' },
      spec: planned.spec,
      templatable: true,
      lastResult: () => lastResultOf(ctx.db, row.id),
    },
    runtime.evaluator,
  )
  const results: StoredResult[] = []
  const moment = { start: ctx.clock.now().getTime(), due: null, next: null }
  const writer = { add: (result: StoredResult) => void results.push(result) }
  const clean = finished.map((each) => storable(each, scrubber))
  await storeFinished(writer, { id: row.id, severity: planned.severity }, clean, moment, {
    db: ctx.db,
    canaryId: canary.id,
  })
  await storeResults(ctx.db, results)
  return { message: 'ok' }
}

const credentials = new Set(['webhook-token', 'authorization', 'proxy-authorization', 'cookie'])

/** The headers of a call without those that let somebody in: what a hook reports is kept and shown. */
const told = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.has(name)))

const textOf = (body: unknown): string =>
  typeof body === 'string'
    ? body
    : Buffer.isBuffer(body)
      ? body.toString('utf8')
      : body === undefined || body === null
        ? ''
        : JSON.stringify(body)

/** A hook without a token is open; one whose token cannot be found out is not. */
async function demandToken(
  ctx: Context,
  canary: CanaryRow,
  token: EnvVar | undefined,
  given: string | undefined,
): Promise<string | undefined> {
  const wanted = await resolveValue(ctx, token, { namespace: canary.namespace }).catch((error: unknown) => {
    ctx.log.warn({ err: error, canary: canary.id }, 'the token of a webhook could not be resolved')
    throw new AppError(503, 'unavailable', 'The token of this webhook cannot be looked up right now.')
  })
  if (token === undefined || (!wanted && !referenceOf(token))) return undefined
  if (!wanted || !sameText(given ?? '', wanted)) throw new AppError(401, 'unauthorized', 'The token is not right.')
  return wanted
}

const sameText = (one: string, two: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(two)]
  return a.length === b.length && timingSafeEqual(a, b)
}

import { type ChartDefinition, type ChartId } from '@quarterdeck/contract/charts'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/network/dialer.ts'
import { NetworkError } from '../../platform/network/network-error.ts'
import { type HttpAnswer, httpRequest } from '../../platform/network/request.ts'

const keepMs = 10 * 60_000
const timeoutMs = 5000
const maxBytes = 2 * 1024 * 1024

const ChartFile = z.object({
  name: z.string().min(1),
  version: z.coerce.string().min(1),
  appVersion: z.coerce.string().optional(),
  description: z.string().optional(),
})

const unavailable = (message: string, details: string | null = null) =>
  new AppError(502, 'unreachable', message, details)

const known = new WeakMap<Context, Map<ChartId, { until: number; chart: ChartDefinition }>>()

/** What the registry says about a chart. Kept for ten minutes; a failure is not kept. */
export async function chartDefinition(ctx: Context, id: ChartId): Promise<ChartDefinition> {
  const kept = known.get(ctx) ?? new Map<ChartId, { until: number; chart: ChartDefinition }>()
  known.set(ctx, kept)
  const now = ctx.clock.now().getTime()
  const found = kept.get(id)
  if (found && found.until > now) return found.chart
  const [definition, schema] = await Promise.all([file(ctx, id, 'Chart.yaml'), file(ctx, id, 'values.schema.json')])
  const chart = { id, ...readDefinition(ctx, definition), schema: readSchema(ctx, schema) }
  kept.set(id, { until: now + keepMs, chart })
  return chart
}

const hostOf = (ctx: Context) => new URL(ctx.config.QUARTERDECK_CHARTS_URL).host

async function file(ctx: Context, id: ChartId, name: string): Promise<HttpAnswer> {
  const address = `${ctx.config.QUARTERDECK_CHARTS_URL.replace(/\/+$/, '')}/charts/${id}/${name}`
  try {
    return await httpRequest(networkOf(ctx), address, { timeoutMs, maxBytes, maxRedirects: 3 })
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    throw unavailable(`The registry of charts at ${hostOf(ctx)} could not be reached: ${error.message}.`)
  }
}

function readDefinition(ctx: Context, answer: HttpAnswer): Omit<ChartDefinition, 'id' | 'schema'> {
  if (answer.status !== 200) throw unavailable(`The registry of charts at ${hostOf(ctx)} answered ${answer.status}.`)
  const read = ChartFile.safeParse(textOf(answer, (text) => parse(text, { maxAliasCount: 100 }) as unknown))
  if (!read.success) throw unavailable(`What ${hostOf(ctx)} answered is no definition of a chart.`)
  const { name, version, appVersion, description } = read.data
  return { name, version, app_version: appVersion ?? null, description: description ?? null }
}

/** A chart need not have one. */
function readSchema(ctx: Context, answer: HttpAnswer): Record<string, unknown> | null {
  if (answer.status === 404) return null
  if (answer.status !== 200) throw unavailable(`The registry of charts at ${hostOf(ctx)} answered ${answer.status}.`)
  const read = z.record(z.string(), z.unknown()).safeParse(textOf(answer, (text) => JSON.parse(text) as unknown))
  if (!read.success) throw unavailable(`What ${hostOf(ctx)} answered is no JSON Schema.`)
  return read.data
}

function textOf(answer: HttpAnswer, read: (text: string) => unknown): unknown {
  if (answer.truncated) return undefined
  try {
    return read(answer.body.toString('utf8'))
  } catch {
    return undefined
  }
}

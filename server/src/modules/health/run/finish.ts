import type { ArtifactFile } from '../../../platform/artifacts/artifacts.ts'
import {
  type CanaryIdentity,
  type CheckIdentity,
  type CheckMetric,
  type CommonSpec,
  longestName,
  type Outcome,
  type TemplateBlock,
} from '../kind.ts'
import { storableText } from '../results/storable.ts'

/** Evaluates one block; `lastResult` answers `last_result()` inside it. */
export interface Evaluator {
  evaluate(block: TemplateBlock, env: Record<string, unknown>, lastResult: () => Promise<unknown>): Promise<unknown>
}

/** A result ready to be stored. `row` is set when a transform made a check of its own. */
export interface Finished {
  pass: boolean
  invalid: boolean
  duration: number
  message: string | null
  error: string | null
  detail: unknown
  metrics: CheckMetric[]
  labels: Record<string, string> | null
  row?: TransformedRow
  /** The transform spoke about its own rows: those it did not name now are gone. */
  fannedOut?: boolean
  start?: number
  /** Files of the run, kept with it. */
  artifacts?: ArtifactFile[]
  /** What its expressions saw; only when somebody tries a check and asked for it. */
  environment?: unknown
}

export interface TransformedRow {
  name: string
  type?: string
  namespace?: string
  description?: string
  icon?: string
  endpoint?: string
  labels?: Record<string, string>
  deleteStrategy?: string
  deleted: boolean
}

export interface FinishInput {
  outcome: Outcome
  elapsed: number
  canary: CanaryIdentity
  check: CheckIdentity
  spec: CommonSpec
  templatable: boolean
  lastResult: () => Promise<unknown>
}

/** After a kind ran: transform, then display, then test, then metrics. A test can add a failure, never remove one. */
export async function finish(input: FinishInput, evaluator: Evaluator): Promise<Finished[]> {
  const { outcome, spec } = input
  const base = fromOutcome(input)
  // What could not be evaluated has nothing to template.
  if (outcome.invalid) return [base]
  const env = environment(input)
  const run = (block: TemplateBlock) => evaluator.evaluate(block, env, input.lastResult)

  if (input.templatable && spec.transform && hasBlock(spec.transform)) {
    const transformed = await transform(base, input, () => run(spec.transform!))
    if (transformed[0]?.fannedOut) return transformed
    Object.assign(base, transformed[0])
    if (base.invalid) return [base]
    env.results = base.detail
  }
  if (input.templatable && spec.display && hasBlock(spec.display)) {
    try {
      base.message = textOf(await run(spec.display))
    } catch (error) {
      fail(base, `display: ${wordsOf(error)}`)
    }
  }
  if (input.templatable && spec.test && hasBlock(spec.test)) await test(base, () => run(spec.test!))
  await addMetrics(base, spec, (expr) => run({ expr }))
  return [base]
}

function fromOutcome({ outcome, elapsed }: FinishInput): Finished {
  const errors = (outcome.errors ?? []).filter(Boolean)
  return {
    pass: outcome.pass && !outcome.invalid,
    invalid: outcome.invalid ?? false,
    duration: outcome.duration ?? elapsed,
    message: outcome.message ?? null,
    error: errors.length > 0 ? errors.join(', ') : null,
    detail: outcome.detail ?? null,
    metrics: [...(outcome.metrics ?? [])],
    labels: outcome.labels ?? null,
  }
}

/** What expressions of a check see. */
export function environment({ outcome, elapsed, canary, check }: FinishInput): Record<string, unknown> {
  return {
    ...outcome.data,
    canary: { name: canary.name, namespace: canary.namespace, labels: canary.labels, id: canary.id },
    check: {
      name: check.name,
      id: check.id,
      description: check.description ?? '',
      labels: check.labels,
      endpoint: check.endpoint,
    },
    duration: Math.round(outcome.duration ?? elapsed),
    results: outcome.detail ?? {},
  }
}

async function test(base: Finished, run: () => Promise<unknown>): Promise<void> {
  let answer: string
  try {
    answer = textOf(await run()).trim()
  } catch (error) {
    return fail(base, `test: ${wordsOf(error)}`)
  }
  if (answer === 'false') base.pass = false
  else if (answer !== 'true') fail(base, `the test must give true or false, it gave "${answer}"`)
}

async function transform(base: Finished, input: FinishInput, run: () => Promise<unknown>): Promise<Finished[]> {
  const refuse = (reason: string): Finished[] => [
    { ...base, pass: false, invalid: true, error: join(base.error, `the result could not be transformed: ${reason}`) },
  ]
  let entries: unknown
  try {
    const answer = await run()
    entries = typeof answer === 'string' ? JSON.parse(answer.trim() || '[]') : answer
  } catch (error) {
    return refuse(wordsOf(error))
  }
  const list = (Array.isArray(entries) ? entries : [entries]) as unknown[]
  if (!list.every(isObject)) return refuse('it gave no list of objects')
  const [first] = list
  // An empty list makes no rows, and those of earlier runs go.
  if (!first) return [{ ...base, detail: null, fannedOut: true }]
  const isNew = typeof first.name === 'string' && first.name !== '' && first.name !== input.check.name
  if (!isNew && list.length > 1) return refuse('several entries need a name each')
  if (!isNew) return [merge(base, first)]
  if (list.some((entry) => typeof entry.name !== 'string' || entry.name === ''))
    return refuse('several entries need a name each')
  if (list.some((entry) => (entry.name as string).length > longestName))
    return refuse(`a name is longer than ${longestName} characters`)
  return [{ ...base, detail: null, fannedOut: true }, ...list.map((entry) => ownRow(entry, base, input))]
}

function merge(base: Finished, entry: Record<string, unknown>): Finished {
  const detail = 'detail' in entry ? (entry.detail === '$delete' ? null : entry.detail) : base.detail
  return {
    ...base,
    pass: typeof entry.pass === 'boolean' ? entry.pass && !base.error : base.pass,
    invalid: typeof entry.invalid === 'boolean' ? entry.invalid : base.invalid,
    message: typeof entry.message === 'string' ? entry.message : base.message,
    error: join(base.error, typeof entry.error === 'string' ? entry.error : null),
    duration: typeof entry.duration === 'number' ? entry.duration : base.duration,
    labels: isObject(entry.labels) ? { ...base.labels, ...textMap(entry.labels) } : base.labels,
    detail,
  }
}

function ownRow(entry: Record<string, unknown>, base: Finished, { check, spec }: FinishInput): Finished {
  const text = (key: string) =>
    typeof entry[key] === 'string' && entry[key] !== '' ? storableText(entry[key]) : undefined
  return {
    pass: entry.pass === true && entry.invalid !== true,
    invalid: entry.invalid === true,
    duration: typeof entry.duration === 'number' ? entry.duration : base.duration,
    message: text('message') ?? null,
    error: text('error') ?? null,
    detail: entry.detail ?? null,
    metrics: metricsOf(entry.metrics),
    labels: null,
    start: parseTime(entry.start),
    row: {
      name: storableText(String(entry.name)),
      type: text('type') ?? check.type,
      namespace: text('namespace'),
      description: text('description') ?? spec.description,
      icon: text('icon') ?? spec.icon,
      endpoint: text('endpoint') ?? check.endpoint,
      labels: isObject(entry.labels) ? textMap(entry.labels) : undefined,
      deleteStrategy: text('transformDeleteStrategy') ?? spec.transformDeleteStrategy,
      deleted: text('deletedAt') !== undefined,
    },
  }
}

/** `[{name, type, value, labels}]` of a transform's entry; what is none is left out. */
function metricsOf(given: unknown): CheckMetric[] {
  const types = ['counter', 'gauge', 'histogram'] as const
  return (Array.isArray(given) ? given : []).filter(isObject).flatMap(({ name, type, value, labels }) => {
    const known = types.find((each) => each === type)
    if (!known || typeof name !== 'string' || typeof value !== 'number' || !Number.isFinite(value)) return []
    return [{ name, type: known, value, labels: isObject(labels) ? textMap(labels) : {} }]
  })
}

async function addMetrics(base: Finished, spec: CommonSpec, run: (expr: string) => Promise<unknown>): Promise<void> {
  for (const metric of spec.metrics ?? []) {
    try {
      const value = Number(await run(metric.value))
      if (!Number.isFinite(value)) throw new Error('it gave no number')
      const labels: Record<string, string> = {}
      for (const label of metric.labels ?? []) {
        labels[label.name] = label.valueExpr ? textOf(await run(label.valueExpr)) : (label.value ?? '')
      }
      base.metrics.push({ name: metric.name, type: metric.type as CheckMetric['type'], value, labels })
    } catch (error) {
      // A metric that cannot be computed does not change the verdict, but it is said.
      base.error = join(base.error, `metric ${metric.name}: ${wordsOf(error)}`)
    }
  }
}

const hasBlock = (block: TemplateBlock): boolean =>
  Boolean(block.template || block.expr || block.javascript || block.jsonPath)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textMap = (map: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, textOf(value)]))
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const join = (one: string | null, two: string | null): string | null => [one, two].filter(Boolean).join(', ') || null
const parseTime = (value: unknown): number | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function fail(base: Finished, reason: string): void {
  base.pass = false
  base.error = join(base.error, reason)
}

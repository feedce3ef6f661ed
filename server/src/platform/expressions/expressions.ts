import type { CelKind, Evaluated } from './cel/cel.ts'
import { ExpressionError, type Failure } from './errors.ts'
import { prepareSource, type Source } from './evaluate-source.ts'
import { defaultLimits, type Limits } from './run.ts'
import { checkSource } from './check-source.ts'
import { Pool } from './runtime/pool.ts'
import type { Job, Outcome } from './runtime/protocol.ts'
import { runJob } from './runtime/run-job.ts'

/** `{template, expr, javascript, jsonPath}` as documents have it; when several are set, JavaScript wins, then template, then expr. */
export interface Template {
  template?: string | null
  expr?: string | null
  javascript?: string | null
  jsonPath?: string | null
}

export type Env = Record<string, unknown>
/** Functions the server answers: last_result, getAction, catalog.traverse … */
export type HostFunctions = Record<string, (...args: unknown[]) => unknown>

export interface EvaluateOptions {
  /** `plain` leaves out the product's own functions; notification filters and evidence scripts use it. */
  kind?: CelKind
  host?: HostFunctions
  limits?: Partial<Limits>
  /** Milliseconds since 1970 that the expression takes for now. */
  now?: number
  /** Templates may name variables without a dot; see struct templating. */
  bareVariables?: readonly string[]
  delimiters?: { left: string; right: string }
  /** Blanks around a template's result are removed, unless told otherwise. */
  trim?: boolean
}

/**
 * What may run on the main thread: about 2 ms of work. An expression that needs more is tried again in a thread of its
 * own, and goes there at once the next time.
 */
export const inlineSteps = 20_000
/** How often one evaluation may ask the server. */
const mostHostCalls = 100

export function sourceOf(template: Template, options: EvaluateOptions = {}): Source | undefined {
  const kind = options.kind ?? 'product'
  if (template.javascript) return { language: 'javascript', text: template.javascript, kind }
  if (template.template) {
    const { bareVariables, delimiters, trim } = options
    return { language: 'gotemplate', text: template.template, kind, template: { bareVariables, delimiters, trim } }
  }
  if (template.expr) return { language: 'cel', text: template.expr, kind }
  if (template.jsonPath) return { language: 'jsonpath', text: template.jsonPath, kind }
  return undefined
}

/** Evaluates users' expressions: small ones here, the rest in threads that can be stopped. */
export class Expressions {
  private readonly pool: Pool
  /** For those that had to be stopped once: they wait for each other, and nobody waits for them. */
  private readonly late = new Pool(1)
  private readonly heavy = new Set<string>()
  private readonly stopped = new Set<string>()

  constructor({ threads = 1 }: { threads?: number } = {}) {
    this.pool = new Pool(threads)
  }

  /** The value as JSON and as text. Throws an ExpressionError that says what is wrong and where. */
  async evaluate(template: Template, env: Env, options: EvaluateOptions = {}): Promise<Evaluated> {
    const source = sourceOf(template, options)
    if (!source) throw new ExpressionError({ message: 'There is no expression', kind: 'syntax', language: 'cel' })
    const host = options.host ?? {}
    const job: Job = {
      source,
      env,
      limits: { ...defaultLimits, ...options.limits },
      now: options.now ?? Date.now(),
      answers: [],
      hostNames: Object.keys(host),
    }
    for (let calls = 0; ; calls++) {
      const outcome = await this.attempt(job)
      if (outcome.type === 'value') return outcome.value
      if (outcome.type === 'failure') throw new ExpressionError(outcome.failure)
      if (calls >= mostHostCalls) {
        throw new ExpressionError({
          message: `${outcome.call}() is called too often`,
          kind: 'limit',
          language: source.language,
        })
      }
      job.answers = [...job.answers, [outcome.key, await this.ask(host, outcome, source)]]
    }
  }

  private async ask(
    host: HostFunctions,
    needed: Extract<Outcome, { type: 'needs' }>,
    source: Source,
  ): Promise<unknown> {
    try {
      return (await host[needed.call]!(...needed.args)) ?? null
    } catch (error) {
      const message = `${needed.call}() failed: ${(error as Error).message}`
      throw new ExpressionError({ message, kind: 'evaluation', language: source.language })
    }
  }

  private async attempt(job: Job): Promise<Outcome> {
    const { source } = job
    const key = `${source.language}/${source.text}`
    if (
      source.language !== 'javascript' &&
      !this.heavy.has(key) &&
      !(source.language === 'jsonpath' && source.text.includes('..'))
    ) {
      await prepareSource(source)
      const small = { ...job.limits, steps: Math.min(inlineSteps, job.limits.steps) }
      const outcome = runJob({ ...job, limits: small })
      const needsMore = outcome.type === 'failure' && outcome.outOfSteps === true && small.steps < job.limits.steps
      if (!needsMore) return outcome
      remember(this.heavy, key)
    }
    const pool = this.stopped.has(key) ? this.late : this.pool
    const outcome = await pool.run({ ...job, env: copyable(job.env) })
    if (outcome.type === 'failure' && outcome.failure.kind === 'limit') remember(this.stopped, key)
    return outcome
  }

  /** A CEL expression's value. */
  async cel(expr: string, env: Env, options: EvaluateOptions = {}): Promise<unknown> {
    return (await this.evaluate({ expr }, env, options)).value
  }

  /** A Go template's text. */
  async render(template: string, env: Env, options: EvaluateOptions = {}): Promise<string> {
    return template === '' ? '' : (await this.evaluate({ template }, env, options)).text
  }

  /** For `test`, filters and conditions: the result must be true or false, as boolean or as text. */
  async isTrue(template: Template, env: Env, options: EvaluateOptions = {}): Promise<boolean> {
    const { text } = await this.evaluate(template, env, options)
    const answer = text.trim()
    if (answer === 'true' || answer === 'false') return answer === 'true'
    const { language } = sourceOf(template, options)!
    const shown = answer.length > 200 ? `${answer.slice(0, 200)}…` : answer
    throw new ExpressionError({
      message: `true or false is expected, the expression gave "${shown}"`,
      kind: 'evaluation',
      language,
    })
  }

  /** What is wrong with the text of an expression, without running it. */
  check(template: Template, options: EvaluateOptions = {}): Failure | undefined {
    const source = sourceOf(template, options)
    return source && checkSource(source)
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.late.close()])
  }
}

function remember(keys: Set<string>, key: string): void {
  if (keys.size >= 5_000) keys.clear()
  keys.add(key)
}

/** Without what cannot cross to another thread. */
function copyable(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([, value]) => typeof value !== 'function' && typeof value !== 'symbol'),
  )
}

let shared: Expressions | undefined

/** The evaluator of this process. */
export function sharedExpressions(): Expressions {
  shared ??= new Expressions()
  return shared
}

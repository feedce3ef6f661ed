import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { ArtifactFile } from '../../platform/artifacts/artifacts.ts'

/** `{template, expr, javascript, jsonPath}`: one of them is set. */
export interface TemplateBlock {
  template?: string
  expr?: string
  javascript?: string
  jsonPath?: string
}

export interface CheckMetric {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  value: number
  labels: Record<string, string>
}

/** What a kind says after one run. `invalid`: the check could not be evaluated (bad spec, unresolved secret). */
export interface Outcome {
  pass: boolean
  invalid?: boolean
  /** Milliseconds; the engine's own measure when left out. */
  duration?: number
  message?: string
  /** Several reasons are joined by the engine. */
  errors?: string[]
  /** Becomes `results` in expressions and `details` in storage. */
  detail?: unknown
  /** Further variables of expressions, such as `code` and `json`. */
  data?: Record<string, unknown>
  metrics?: CheckMetric[]
  /** Added to the check's own labels. */
  labels?: Record<string, string>
  /** Files to keep; what was left out for its size is said in `notes`. */
  artifacts?: ArtifactFile[]
  /** Said beside the result without changing it. */
  notes?: string[]
}

export interface CheckIdentity {
  id: string
  name: string
  type: string
  description?: string
  labels: Record<string, string>
  endpoint: string
}

export interface CanaryIdentity {
  id: string
  name: string
  namespace: string
  labels: Record<string, string>
  annotations?: Record<string, string>
  env?: unknown
}

/** Everything a kind may use while it runs. */
export interface CheckRun {
  ctx: Context
  canary: CanaryIdentity
  check: CheckIdentity
  /** Aborted when the check's time is up or the engine stops. */
  signal: AbortSignal
  /** Milliseconds the kind has before `signal` fires. */
  timeout: number
  /** Newest stored result, for `last_result()`. */
  lastResult(): Promise<Record<string, unknown>>
  /** Remembers a resolved secret, so that it is removed from every text this run stores. */
  secret(value: string): void
}

/** The fields every check has, whatever its kind. */
export interface CommonSpec {
  name: string
  description?: string
  icon?: string
  labels?: Record<string, string>
  namespace?: string | { name?: string }
  transformDeleteStrategy?: 'MarkHealthy' | 'MarkUnhealthy' | 'Ignore'
  metrics?: {
    name: string
    type: string
    value: string
    labels?: { name: string; value?: string; valueExpr?: string }[]
  }[]
  relationships?: { components?: unknown[]; configs?: unknown[] }
  test?: TemplateBlock
  display?: TemplateBlock
  transform?: TemplateBlock
  endpoint?: string
  url?: string
}

/** One kind of check: a file of its own in kinds/, listed in kinds/index.ts. */
export interface CheckKind<Spec extends CommonSpec = CommonSpec> {
  /** Key in the canary spec, for example `kubernetesResource`. */
  key: string
  /** Stored in checks.type where it differs from the key. */
  type?: string
  schema: z.ZodType<Spec>
  /** test, display and transform apply. */
  templatable: boolean
  /** Shown beside the check and available as `check.endpoint`. */
  endpoint(spec: Spec): string
  /** Results come from elsewhere; the schedule leaves it alone. */
  onDemand?: boolean
  /** Runs at most this many of the kind at once in one process. */
  concurrency?: number
  /** Takes processes or files of this machine for as long as it runs, so it keeps its place among them until it ends. */
  isHeavy?: boolean
  /** Time one run may take unless the spec says otherwise. */
  timeoutMs?: (spec: Spec) => number
  run(run: CheckRun, spec: Spec): Promise<Outcome>
}

export const typeOf = (kind: Pick<CheckKind, 'key' | 'type'>): string => kind.type ?? kind.key

/** Names are part of a key of the database, and its keys have an end. */
export const longestName = 500

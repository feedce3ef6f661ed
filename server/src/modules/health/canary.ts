import { type CanaryIdentity, type CheckKind, type CommonSpec, longestName, typeOf } from './kind.ts'
import { foldedKind } from './run/fold.ts'

export interface CanaryRow {
  id: string
  name: string
  namespace: string
  labels: Record<string, string> | null
  annotations: Record<string, string> | null
  spec: Record<string, unknown>
  source: string | null
}

/** One check of a canary: what its row holds, and either the parsed spec that can run or the reason it cannot. */
export interface PlannedCheck {
  key: string
  type: string
  name: string
  namespace: string
  description: string | null
  icon: string | null
  severity: string | null
  owner: string | null
  labels: Record<string, string>
  raw: Record<string, unknown>
  kind?: CheckKind
  spec?: CommonSpec
  /** Why it cannot run; the check then shows as invalid with these words. */
  problem?: string
}

export interface CanaryPlan {
  checks: PlannedCheck[]
  /** What is wrong with the canary itself, for its job history. */
  problems: string[]
}

/** Spec keys that name no kind of check. */
const plainKeys = new Set(['replicas', 'env', 'interval', 'schedule', 'icon', 'severity', 'owner', 'resultMode'])
/** Fields are accepted for these, nothing runs them: their checks stay unknown. */
export const idleKinds: Readonly<Record<string, string>> = {
  docker: 'dockerPull',
  dockerPush: 'dockerPush',
  containerd: 'containerdPull',
  containerdPush: 'containerdPush',
  helm: 'helm',
}
/** Labels that change with every roll-out and would split one check's history. */
const volatileLabels = ['pod-template-hash', 'kustomize.toolkit.fluxcd.io']

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Takes a canary apart into its checks. Nothing throws: what is wrong is said on the check or the canary. */
export function planCanary(canary: CanaryRow, kinds: ReadonlyMap<string, CheckKind>): CanaryPlan {
  const problems: string[] = []
  const checks: PlannedCheck[] = []
  const taken = new Set<string>()
  for (const [key, value] of Object.entries(canary.spec)) {
    if (plainKeys.has(key) || value === null || value === undefined) continue
    const kind = kinds.get(key)
    if (!kind && !(key in idleKinds)) {
      problems.push(`"${key}" is not a kind of check`)
      continue
    }
    const list = Array.isArray(value) ? value : [value]
    for (const [index, raw] of list.entries()) {
      if (!isObject(raw)) {
        problems.push(`${key}[${index}] is not an object`)
        continue
      }
      const check = planCheck(canary, key, kind, raw)
      if (!check.name) {
        problems.push(`${key}[${index}] has no name`)
        continue
      }
      if (check.name.length > longestName) {
        problems.push(`${key}[${index}] has a name longer than ${longestName} characters`)
        continue
      }
      const identity = `${check.type}/${check.name}`
      if (taken.has(identity)) {
        problems.push(`two ${key} checks are named "${check.name}"; only the first one runs`)
        continue
      }
      taken.add(identity)
      checks.push(check)
    }
  }
  if (canary.annotations?.[extraRunAnnotation] !== undefined && extraRunOf(canary) === undefined)
    problems.push(`annotation ${extraRunAnnotation}: not a time such as 2030-01-31T08:00:00Z`)
  return { checks: canary.spec.resultMode === 'junit' ? fold(canary, checks, [...kinds.keys()]) : checks, problems }
}

/** With `resultMode: junit` a canary is one check. What reports by itself, as a webhook does, stays beside it. */
function fold(canary: CanaryRow, checks: readonly PlannedCheck[], order: readonly string[]): PlannedCheck[] {
  // The database gives keys back in an order of its own.
  const place = ({ key }: PlannedCheck) => (order.includes(key) ? order.indexOf(key) : order.length)
  const parts = checks.filter(({ kind }) => !kind?.onDemand).toSorted((a, b) => place(a) - place(b))
  const others = checks.filter(({ kind }) => kind?.onDemand)
  return parts.length > 0 ? [folded(canary, parts), ...others] : others
}

function folded(canary: CanaryRow, parts: readonly PlannedCheck[]): PlannedCheck {
  const severity = textOf(canary.spec.severity)
  const owner = textOf(canary.spec.owner)
  const raw: Record<string, unknown> = { name: canary.name, resultMode: 'junit' }
  for (const { key } of parts) raw[key] = canary.spec[key]
  return {
    key: 'junit',
    type: 'junit',
    name: canary.name,
    namespace: canary.namespace,
    description: textOf(canary.spec.description),
    icon: textOf(canary.spec.icon),
    severity,
    owner,
    labels: labelsOf(canary.labels, undefined, severity, owner),
    raw,
    kind: foldedKind(canary.name, parts),
    spec: { name: canary.name },
  }
}

function planCheck(
  canary: CanaryRow,
  key: string,
  kind: CheckKind | undefined,
  raw: Record<string, unknown>,
): PlannedCheck {
  const namespace = isObject(raw.namespace) ? textOf(raw.namespace.name) : textOf(raw.namespace)
  const severity = textOf(raw.severity) ?? textOf(canary.spec.severity)
  const owner = textOf(raw.owner) ?? textOf(canary.spec.owner)
  const planned: PlannedCheck = {
    key,
    type: kind ? typeOf(kind) : (idleKinds[key] ?? key),
    name: textOf(raw.name) ?? textOf(raw.description) ?? '',
    namespace: namespace ?? canary.namespace,
    description: textOf(raw.description),
    icon: textOf(raw.icon) ?? textOf(canary.spec.icon),
    severity,
    owner,
    labels: labelsOf(canary.labels, raw.labels, severity, owner),
    raw,
  }
  if (!kind) return planned
  const parsed = kind.schema.safeParse({ ...raw, name: planned.name })
  if (parsed.success) return { ...planned, kind, spec: parsed.data }
  const issue = parsed.error.issues[0]
  const path = issue?.path.join('.') ?? ''
  return { ...planned, kind, problem: `${path ? `${path}: ` : ''}${issue?.message ?? 'the spec is not valid'}` }
}

function labelsOf(
  canary: unknown,
  check: unknown,
  severity: string | null,
  owner: string | null,
): Record<string, string> {
  const labels: Record<string, string> = {}
  for (const source of [canary, check]) {
    if (!isObject(source)) continue
    for (const [name, value] of Object.entries(source)) {
      if (!volatileLabels.some((prefix) => name.startsWith(prefix))) labels[name] = String(value)
    }
  }
  if (severity) labels[severity] = 'true'
  if (owner) labels[owner] = 'true'
  return labels
}

/** What the runs of a canary know of it. */
export const identityOf = (canary: CanaryRow): CanaryIdentity => ({
  id: canary.id,
  name: canary.name,
  namespace: canary.namespace,
  labels: canary.labels ?? {},
  annotations: canary.annotations ?? {},
  env: canary.spec.env,
})

export const extraRunAnnotation = 'next-runtime'
export interface ExtraRun {
  at: number
  /** As the annotation has it. */
  text: string
}

/** When a canary asked for one run more; undefined without such a wish, or when it is no moment. */
export function extraRunOf({ annotations }: Pick<CanaryRow, 'annotations'>): ExtraRun | undefined {
  const text = annotations?.[extraRunAnnotation]
  if (!text || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text)) return undefined
  const at = Date.parse(text.toUpperCase())
  return Number.isNaN(at) ? undefined : { at, text }
}

/** Suspended canaries keep their checks and their history, and do not run. */
export function isSuspended(canary: Pick<CanaryRow, 'spec' | 'annotations'>): boolean {
  return canary.annotations?.suspend === 'true' || canary.spec.replicas === 0
}

/** The schedule text: `schedule` wins over the old `interval` in seconds; neither means only on demand. */
export function scheduleOf(spec: Record<string, unknown>): string {
  const schedule = textOf(spec.schedule)
  if (schedule) return schedule
  const interval = Number(spec.interval)
  return Number.isFinite(interval) && interval > 0 ? `@every ${interval}s` : '@never'
}

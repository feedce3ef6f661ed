import { parseSchedule, type Schedule } from '@quarterdeck/contract/schedule'
import {
  type CanaryRow,
  type ExtraRun,
  extraRunAnnotation,
  extraRunOf,
  identityOf,
  isSuspended,
  type PlannedCheck,
  scheduleOf,
} from './canary.ts'
import type { CanaryIdentity } from './kind.ts'
import type { RunnableCheck } from './run/run-check.ts'

export interface ActiveCheck {
  id: string
  severity: string | null
  runnable?: RunnableCheck
  /** Why it cannot run. */
  problem?: string
}

/** A canary as the engine holds it between runs. */
export interface ActiveCanary {
  identity: CanaryIdentity
  schedule: Schedule
  /** One run more at this moment, as its annotation says. */
  extraRun: ExtraRun | undefined
  checks: ActiveCheck[]
  /** Why nothing can be scheduled. */
  scheduleProblem: string | undefined
  /** Differs when something that matters to its runs was edited. */
  fingerprint: string
}

export function activate(canary: CanaryRow, checks: { planned: PlannedCheck; row: { id: string } }[]): ActiveCanary {
  const suspended = isSuspended(canary)
  const parsed = parseSchedule(scheduleOf(canary.spec))
  const { [extraRunAnnotation]: _, ...annotations } = canary.annotations ?? {}
  return {
    identity: identityOf(canary),
    schedule: suspended || !parsed.ok ? { kind: 'never' } : parsed.schedule,
    scheduleProblem: parsed.ok ? undefined : `schedule: ${parsed.reason}`,
    extraRun: suspended ? undefined : extraRunOf(canary),
    fingerprint: JSON.stringify([canary.spec, canary.labels, annotations]),
    checks: checks.map(({ planned, row }) => ({
      id: row.id,
      severity: planned.severity,
      problem: planned.problem,
      runnable: runnableOf(planned, row.id),
    })),
  }
}

/** A planned check ready to run as the row with this id; undefined when nothing here can run it. */
export function runnableOf({ kind, spec, ...planned }: PlannedCheck, id: string): RunnableCheck | undefined {
  if (!kind || !spec) return undefined
  const { name, type, labels } = planned
  return {
    kind,
    spec,
    identity: { id, name, type, description: planned.description ?? undefined, labels, endpoint: kind.endpoint(spec) },
  }
}

export function hostOf({ identity }: RunnableCheck): string {
  try {
    return new URL(identity.endpoint).host
  } catch {
    return identity.endpoint || identity.id
  }
}

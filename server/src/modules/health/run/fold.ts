import { z } from 'zod'
import { sharedExpressions } from '../../../platform/expressions/expressions.ts'
import type { PlannedCheck } from '../canary.ts'
import type { CheckKind, CheckRun, CommonSpec, Outcome } from '../kind.ts'
import { type JunitSuite, type JunitTest, totalsOf } from '../kinds/junit-xml.ts'
import { evaluatorOver } from './evaluator.ts'
import type { Finished } from './finish.ts'
import { runCheck } from './run-check.ts'

const hour = 3_600_000
const partMs = 30_000

/** One check made of several: it runs them one after the other and tells their results as test cases of one suite. */
export function foldedKind(name: string, parts: readonly PlannedCheck[]): CheckKind {
  const timeOf = ({ kind, spec }: PlannedCheck) => (kind && spec ? (kind.timeoutMs?.(spec) ?? partMs) : 0)
  return {
    key: 'junit',
    schema: z.looseObject({ name: z.string() }) as unknown as z.ZodType<CommonSpec>,
    templatable: false,
    endpoint: () => name,
    timeoutMs: () =>
      Math.min(
        hour,
        parts.reduce((sum, part) => sum + timeOf(part), 1000),
      ),
    async run(run) {
      const tests: JunitTest[] = []
      const outcome: Pick<Outcome, 'artifacts' | 'metrics'> = { artifacts: [], metrics: [] }
      for (const part of parts) {
        run.signal.throwIfAborted()
        for (const result of await runPart(run, part)) {
          tests.push(testOf(part, result))
          outcome.artifacts!.push(...(result.artifacts ?? []))
          outcome.metrics!.push(...result.metrics)
        }
      }
      return { ...outcome, ...verdict(name, tests) }
    },
  }
}

function verdict(name: string, tests: JunitTest[]): Outcome {
  const count = (status: JunitTest['status']) => tests.filter((test) => test.status === status).length
  const suite: JunitSuite = {
    name,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    error: count('error'),
    duration: tests.reduce((sum, test) => sum + test.duration, 0),
    tests,
  }
  const totals = totalsOf([suite])
  const failed = tests.filter(({ status }) => status === 'failed' || status === 'error')
  const ran = tests.length - totals.skipped
  return {
    pass: failed.length === 0,
    errors:
      failed.length > 0
        ? [
            `${failed.length} of ${ran} failed: ${failed.map(({ name: each, error }) => `${each}${error ? ` (${error})` : ''}`).join(', ')}`,
          ]
        : [],
    duration: totals.duration * 1000,
    detail: { suites: [suite], totals, ...totals },
    message: `${totals.passed} passed, ${totals.failed + totals.error} failed, ${totals.skipped} skipped`,
  }
}

async function runPart(run: CheckRun, part: PlannedCheck): Promise<PartResult[]> {
  const { kind, spec, name, type, labels, description } = part
  if (part.problem) return [untried(part.problem, true)]
  if (!kind || !spec) return [untried(`${part.key} checks are kept but not run by this server`, false)]
  const identity = {
    id: run.check.id,
    name,
    type,
    labels,
    description: description ?? undefined,
    endpoint: kind.endpoint(spec),
  }
  const results = await runCheck(
    { ctx: run.ctx, evaluator: evaluatorOver(sharedExpressions(), run.ctx.db) },
    run.canary,
    { kind, spec, identity },
    { stop: run.signal, lastResult: run.lastResult },
  )
  // A check that became several says nothing itself.
  const [own, ...made] = results
  return own?.fannedOut && made.length > 0 ? made : results
}

type PartResult = Finished & { isSkipped?: boolean }

const untried = (error: string, invalid: boolean): PartResult => ({
  pass: false,
  invalid,
  isSkipped: !invalid,
  duration: 0,
  message: null,
  error,
  detail: null,
  metrics: [],
  labels: null,
})

function testOf(part: PlannedCheck, result: PartResult): JunitTest {
  const { pass, invalid, isSkipped } = result
  const output = (key: 'stdout' | 'stderr') => {
    const value = (result.detail as Record<string, unknown> | null)?.[key]
    return typeof value === 'string' ? value : ''
  }
  return {
    name: result.row?.name ?? part.name,
    classname: result.row?.type ?? part.type,
    duration: result.duration / 1000,
    status: isSkipped ? 'skipped' : pass ? 'passed' : invalid ? 'error' : 'failed',
    message: result.message ?? '',
    error: result.error ?? '',
    properties: { ...part.labels, ...result.labels },
    stdout: output('stdout'),
    stderr: output('stderr'),
  }
}

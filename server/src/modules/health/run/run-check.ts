import type { Context } from '../../../context.ts'
import { Scrubber } from '../../../platform/resolve/scrubber.ts'
import { InvalidTarget as InvalidCheck } from '../../../platform/clients/run.ts'
import type { CanaryIdentity, CheckIdentity, CheckKind, CheckRun, CommonSpec, Outcome } from '../kind.ts'
import { storableText } from '../results/storable.ts'
import { environment, type Evaluator, finish, type FinishInput, type Finished } from './finish.ts'
import { hasRelations, relate } from './relate.ts'

export interface RunDeps {
  ctx: Context
  evaluator: Evaluator
}

export interface RunnableCheck {
  identity: CheckIdentity
  kind: CheckKind
  spec: CommonSpec
}

const defaultTimeoutMs = 30_000
/** A kind that does not heed its signal is left behind after this; the check has failed anyway. */
const graceMs = 1_000
/** Longest message and error kept; a target that answers with a book must not fill the history. */
const maxWords = 16 * 1024
const maxDetailBytes = 256 * 1024

/** Runs one check to its end, whatever the kind does: it never throws and never takes longer than it may. */
export async function runCheck(
  deps: RunDeps,
  canary: CanaryIdentity,
  { identity, kind, spec }: RunnableCheck,
  options: {
    stop?: AbortSignal
    lastResult: () => Promise<Record<string, unknown>>
    relate?: boolean
    withEnvironment?: boolean
  },
): Promise<Finished[]> {
  const timeout = kind.timeoutMs?.(spec) ?? defaultTimeoutMs
  const scrubber = new Scrubber()
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('the server is stopping'))
  options.stop?.addEventListener('abort', stop, { once: true })
  const run: CheckRun = {
    ctx: deps.ctx,
    canary,
    check: identity,
    signal: controller.signal,
    timeout,
    lastResult: options.lastResult,
    secret: (value) => scrubber.add(value),
  }
  const started = performance.now()
  const outcome = await withDeadline(() => kind.run(run, spec), controller, timeout)
  const elapsed = performance.now() - started
  options.stop?.removeEventListener('abort', stop)
  const input: FinishInput = {
    outcome,
    elapsed,
    canary,
    check: identity,
    spec,
    templatable: kind.templatable,
    lastResult: options.lastResult,
  }
  const finished = await finish(input, deps.evaluator)
  // What does not change the verdict is said nevertheless.
  const notes = [...(outcome.notes ?? [])]
  if (options.relate && hasRelations(spec) && finished[0]) {
    await relate(deps.ctx.db, deps.evaluator, input).catch((error: Error) => {
      notes.push(`relationships: ${error.message}`)
    })
  }
  if (finished[0] && notes.length > 0) finished[0].error = [finished[0].error, ...notes].filter(Boolean).join(', ')
  if (finished[0] && outcome.artifacts?.length) finished[0].artifacts = outcome.artifacts
  if (options.withEnvironment && finished[0] && !outcome.invalid) finished[0].environment = environment(input)
  return finished.map((each) => storable(each, scrubber))
}

async function withDeadline(
  work: () => Promise<Outcome>,
  controller: AbortController,
  timeout: number,
): Promise<Outcome> {
  const { signal } = controller
  const deadline = setTimeout(() => controller.abort(new Error(`timed out after ${timeout} ms`)), timeout)
  let grace: NodeJS.Timeout | undefined
  const abandoned = new Promise<Outcome>((resolve) => {
    const wait = () => (grace = setTimeout(() => resolve(failure(signal.reason, signal)), graceMs))
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true })
  })
  const running = Promise.resolve()
    .then(work)
    .catch((error: unknown): Outcome => failure(error, signal))
  try {
    return await Promise.race([running, abandoned])
  } finally {
    clearTimeout(deadline)
    clearTimeout(grace)
  }
}

function failure(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted && signal.reason instanceof Error) return { pass: false, errors: [signal.reason.message] }
  const invalid = error instanceof InvalidCheck
  return { pass: false, invalid, errors: [error instanceof Error ? error.message : String(error)] }
}

/** Thrown by a kind when the check could not be evaluated at all: bad spec, unresolved secret, missing program. */
export { InvalidCheck }

/** A result without secrets and no larger than the history takes. */
export function storable(result: Finished, scrubber: Scrubber): Finished {
  const words = (text: string | null) => (text === null ? null : shorten(scrubber.text(text)))
  return {
    ...result,
    message: words(result.message),
    error: words(result.error),
    detail: bounded(scrubber.value(result.detail)),
    ...(result.artifacts && { artifacts: scrubber.value(result.artifacts) }),
    ...('environment' in result && { environment: bounded(scrubber.value(result.environment)) }),
  }
}

const shorten = (text: string): string => storableText(text.length > maxWords ? `${text.slice(0, maxWords)}…` : text)

function bounded(detail: unknown): unknown {
  if (detail === null || detail === undefined) return null
  const text = JSON.stringify(detail)
  if (text === undefined) return null
  if (text.length <= maxDetailBytes) return detail
  return { truncated: true, bytes: text.length, start: text.slice(0, 4096) }
}

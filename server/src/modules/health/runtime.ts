import type { Context } from '../../context.ts'
import { Expressions } from '../../platform/expressions/expressions.ts'
import type { CheckKind } from './kind.ts'
import { checkKinds } from './kinds/index.ts'
import { evaluatorOver } from './run/evaluator.ts'
import type { RunDeps } from './run/run-check.ts'

export interface HealthRuntime extends RunDeps {
  kinds: ReadonlyMap<string, CheckKind>
}

const runtimes = new WeakMap<Context, HealthRuntime>()

/** What running a check needs beyond the context, made once per process: the kinds and expressions. */
export function runtimeOf(ctx: Context): HealthRuntime {
  let runtime = runtimes.get(ctx)
  if (!runtime) {
    const kinds = new Map(checkKinds.map((kind) => [kind.key, kind]))
    runtime = { ctx, kinds, evaluator: evaluatorOver(new Expressions(), ctx.db) }
    runtimes.set(ctx, runtime)
  }
  return runtime
}

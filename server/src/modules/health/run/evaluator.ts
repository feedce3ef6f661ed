import type { Expressions } from '../../../platform/expressions/expressions.ts'
import type { Evaluator } from './finish.ts'

/** Expressions of checks: `last_result()` is answered from the history. */
export function evaluatorOver(expressions: Expressions): Evaluator {
  return {
    async evaluate(block, env, lastResult) {
      const { text } = await expressions.evaluate(block, env, { host: { last_result: lastResult } })
      return text
    },
  }
}

import type { Sql } from '../../../platform/db/db.ts'
import type { Expressions } from '../../../platform/expressions/expressions.ts'
import { catalogHost } from '../../../platform/expressions/host/catalog-traverse.ts'
import type { Evaluator } from './finish.ts'

/** Expressions of checks: `last_result()` is answered from the history, `catalog.traverse()` from the catalog. */
export function evaluatorOver(expressions: Expressions, sql: Sql): Evaluator {
  const catalog = catalogHost(sql)
  return {
    async evaluate(block, env, lastResult) {
      const { text } = await expressions.evaluate(block, env, { host: { ...catalog, last_result: lastResult } })
      return text
    },
  }
}

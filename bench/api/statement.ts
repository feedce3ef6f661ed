import { defaultLimits } from '../../server/src/data-api/limits.ts'
import { Access, contractRules } from '../../server/src/data-api/plan/access.ts'
import { planCall } from '../../server/src/data-api/plan/call-plan.ts'
import { planContext, planSelect } from '../../server/src/data-api/plan/read-plan.ts'
import { readStatement } from '../../server/src/data-api/query.ts'
import { readRequest, targetOf } from '../../server/src/data-api/request.ts'
import type { SchemaCache } from '../../server/src/data-api/schema/model.ts'
import type { ApiCase } from './cases.ts'

/** The SQL that the data API makes of a case, and its values, as anyone could hand them to the driver. */
export function statementOf(known: SchemaCache, one: ApiCase): { text: string; values: unknown[] } {
  const [path, query] = one.path.split('?') as [string, string]
  const target = targetOf(path)
  const access = new Access(known, contractRules, ['viewer'])
  const request = readRequest({ method: 'GET', path, query, headers: { prefer: one.prefer } }, target, {
    limits: defaultLimits,
    now: () => new Date(),
    argumentsOf: (name) => new Set(known.routines.get(name)!.flatMap((form) => form.args.map((arg) => arg.name))),
  })
  const page = { limit: { constant: request.range.limit ?? defaultLimits.maxRows } }
  const context = planContext(known, access, defaultLimits, request.query)
  const name = target.kind === 'root' ? '' : target.name
  const select =
    target.kind === 'routine'
      ? planCall(context, { name, given: [...request.query.args.keys()], by: 'GET', bodyIsObject: true, page }).select
      : planSelect(context, {
          source: { kind: 'relation', name },
          rows: { name, columns: known.relations.get(name)!.columns, relation: name },
          ...page,
        })
  const { count } = request.prefer
  const statement = readStatement(select, {
    answer: request.answer,
    head: false,
    count,
    maxRows: defaultLimits.maxRows,
  })
  const values = statement.params.map((param) => {
    if ('slot' in param) return request.query.values[param.slot]
    if ('argument' in param) return request.query.args.get(param.argument)!.at(-1)
    return 'constant' in param ? param.constant : undefined
  })
  return { text: statement.text, values }
}

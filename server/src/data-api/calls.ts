import { bindingsOf, type Job, pageOf, planned } from './job.ts'
import { badBody, bodyTypeRefused, methodRefused, notSingular } from './errors.ts'
import { parseBody, parseJson, textOf } from './parse/body.ts'
import { planCall } from './plan/call-plan.ts'
import { planContext } from './plan/read-plan.ts'
import { scalarStatement } from './query.ts'
import { answerRead, compileRead, type PageRow, type ReadPlan } from './reads.ts'
import { contentType, type HttpAnswer } from './response.ts'
import { type Compiled, compiled } from './statements.ts'
import { actAs } from './writes.ts'

interface CompiledCall {
  kind: 'rows' | 'scalar' | 'void'
  writes: boolean
  oneRow: boolean
  lists: ReadonlySet<string>
  read: ReadPlan
}

/** rpc/{function}: arguments from the query (GET, HEAD) or the body (POST); its rows can be filtered like a table's. */
export async function runCall(job: Job, name: string): Promise<HttpAnswer> {
  const { request, engine } = job
  const by = request.method === 'POST' ? 'POST' : 'GET'
  if (request.method !== 'POST' && request.method !== 'GET' && request.method !== 'HEAD') {
    throw methodRefused('A function is called by GET or POST')
  }
  const body = by === 'POST' ? callBody(job) : undefined
  const given = body ? (body.names ?? []) : [...request.query.args.keys()]
  const bodyIsObject = !body || body.names !== undefined
  const key = `${name}(${[...given].sort().map(encodeURIComponent).join(',')}${bodyIsObject ? '' : '*'})`
  const plan = planned(job, `call ${request.method}`, key, (): CompiledCall => {
    const context = planContext(engine.schema, job.access, engine.limits, request.query)
    const { routine, select, writes } = planCall(context, { name, given, by, bodyIsObject, page: pageOf(job) })
    const kind = routine.returns.kind === 'void' ? 'void' : routine.returns.kind === 'scalar' ? 'scalar' : 'rows'
    const read = kind === 'rows' ? compileRead(job, select, !routine.set) : { page: compiled(scalarStatement(select)) }
    const lists = new Set(routine.args.filter((arg) => arg.variadic).map((arg) => arg.name))
    return { kind, writes, oneRow: !routine.set, lists, read }
  })
  const bindings = bindingsOf(job, { args: request.query.args, lists: plan.lists, body: body?.text })
  const row = plan.writes ? await inTransaction(job, plan.read.page, bindings) : undefined
  if (plan.kind === 'rows') return answerRead(job, plan.read, bindings, plan.oneRow, row)
  const result = row ?? (await engine.statements.read<PageRow>(plan.read.page, bindings))[0]
  return scalarAnswer(job, plan, result)
}

function inTransaction(
  job: Job,
  statement: Compiled,
  bindings: Parameters<Job['engine']['statements']['read']>[1],
): Promise<PageRow> {
  return job.engine.statements.transaction(async (client) => {
    await actAs(client, job.principal)
    return (await job.engine.statements.on<PageRow>(client, statement, bindings))[0]!
  })
}

function scalarAnswer(job: Job, plan: CompiledCall, row: PageRow | undefined): HttpAnswer {
  if (plan.kind === 'void') return { status: 204, headers: { 'content-range': '*/*', 'range-unit': 'items' }, body: '' }
  const n = row?.n ?? 0
  if (job.request.answer.kind === 'object' && !plan.oneRow && n !== 1) throw notSingular(n)
  const range = n > 0 ? `${job.request.range.offset}-${job.request.range.offset + n - 1}/*` : '*/*'
  return {
    status: 200,
    headers: {
      'content-type': contentType({ kind: 'array', stripNulls: false }),
      'content-range': range,
      'range-unit': 'items',
    },
    body: job.request.method === 'HEAD' ? '' : (row?.body ?? 'null'),
  }
}

interface CallBody {
  text: string
  /** The arguments it names; undefined when it is not an object. */
  names: string[] | undefined
}

function callBody({ call }: Job): CallBody {
  const type = (call.headers['content-type'] ?? 'application/json').split(';')[0]!.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') {
    const [row] = parseBody(type, call.body).rows
    return { text: JSON.stringify(row), names: Object.keys(row!) }
  }
  if (type !== '' && type !== 'application/json' && type !== 'application/vnd.pgrst.object+json')
    throw bodyTypeRefused(type)
  const text = textOf(call.body)
  if (text === '') return { text: '{}', names: [] }
  const value = parseJson(text)
  if (value === undefined) throw badBody('Empty or invalid json')
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return { text, names: isObject ? Object.keys(value) : undefined }
}

import { AppError } from '../../platform/errors.ts'
import { denied, malformed, methodRefused, shorten } from '../errors.ts'
import type { Column, Routine, SchemaCache } from '../schema/model.ts'
import type { Access } from './access.ts'
import type { CallArguments, Param, Select, Source } from './model.ts'
import { nearest } from './nearest.ts'
import { type PlanContext, planSelect, type Rows } from './read-plan.ts'

export interface CallInput {
  name: string
  /** Names of the arguments given, from the query string or the body. */
  given: string[]
  by: 'GET' | 'POST'
  /** POST: the body is not an object of arguments, or may be meant as one argument. */
  bodyIsObject: boolean
  /** The part of the answer asked for. */
  page: { limit: Param; offset?: Param }
}

export interface CallPlan {
  routine: Routine
  args: CallArguments
  select: Select
  /** Runs in a transaction of its own that knows who acts. */
  writes: boolean
}

export function planCall(context: PlanContext, input: CallInput): CallPlan {
  const rule = context.access.functionRule(input.name)
  const forms = rule ? (context.schema.routines.get(input.name) ?? []) : []
  if (!rule || forms.length === 0) throw noSuchFunction(context, input)
  if (!context.access.canCall(input.name)) throw denied('function', input.name)
  if (rule.action === 'write' && input.by === 'GET')
    throw methodRefused(`${input.name} changes something and is called by POST`)
  const { routine, args } = chooseForm(forms, context, input)
  const rows = rowsOf(context.schema, routine)
  const source = { kind: 'call', routine, args } as const
  if (!rows) return { routine, args, writes: rule.action === 'write', select: bareCall(context, source, input) }
  return {
    routine,
    args,
    writes: rule.action === 'write',
    select: planSelect(context, { source, rows, ...(routine.set ? input.page : {}) }),
  }
}

/** A value has no columns to select, filter or order by. */
function bareCall({ query }: PlanContext, source: Extract<Source, { kind: 'call' }>, { page }: CallInput): Select {
  const star = query.select.length === 1 && query.select[0]!.kind === 'star'
  if (query.filters.length > 0 || query.orders.length > 0 || !star) {
    throw malformed(
      `${source.routine.name} answers a value, which has no columns`,
      null,
      'Leave out select, order and filters.',
    )
  }
  return { alias: 'r0', source, outputs: [], where: [], order: [], grouped: false, ...page }
}

function rowsOf(schema: SchemaCache, { name, returns }: Routine): Rows | undefined {
  if (returns.kind === 'relation') {
    const columns: Map<string, Column> = schema.relations.get(returns.relation)!.columns
    return { name, columns, relation: returns.relation }
  }
  return returns.kind === 'columns' ? { name, columns: returns.columns } : undefined
}

/** The form of the function whose arguments the given names fit: all known, and none missing that has no default. */
function chooseForm(
  forms: Routine[],
  context: PlanContext,
  input: CallInput,
): { routine: Routine; args: CallArguments } {
  const fitting = forms.filter((form) => {
    const names = form.args.map((arg) => arg.name)
    return (
      input.bodyIsObject &&
      !names.includes('') &&
      input.given.every((name) => names.includes(name)) &&
      form.args.every((arg) => arg.optional || arg.variadic || input.given.includes(arg.name))
    )
  })
  if (fitting.length === 1) {
    const names = [...input.given].sort()
    return { routine: fitting[0]!, args: { kind: input.by === 'GET' ? 'named' : 'json', names } }
  }
  if (fitting.length > 1) throw manyFunctions(fitting)
  const whole = forms.find((form) => {
    const [only] = form.args
    return form.args.length === 1 && only!.name === '' && (only!.family === 'json' || only!.family === 'jsonb')
  })
  if (whole && input.by === 'POST') return { routine: whole, args: { kind: 'whole' } }
  throw noSuchFunction(context, input)
}

function signature(name: string, args: string[]): string {
  return args.length > 0 ? `public.${name}(${args.join(', ')})` : `public.${name} without parameters`
}

function noSuchFunction({ access, schema }: { access: Access; schema: SchemaCache }, input: CallInput): AppError {
  const name = shorten(input.name)
  const given = input.given.slice(0, 20).map(shorten)
  const callable = access.callable()
  const near = nearest(input.name, new Set(callable.map((routine) => routine.name)))
  const form = near === null ? undefined : schema.routines.get(near)?.[0]
  return new AppError(
    404,
    'PGRST202',
    `Could not find the function ${signature(name, given)} in the schema cache`,
    `Searched for the function ${signature(name, given)}, but no matches were found in the schema cache.`,
    form
      ? `Perhaps you meant to call the function ${signature(
          form.name,
          form.args.map((arg) => arg.name),
        )}`
      : null,
  )
}

function manyFunctions(fitting: Routine[]): AppError {
  const forms = fitting.map(
    (form) => `public.${form.name}(${form.args.map((arg) => `${arg.name} => ${arg.type}`).join(', ')})`,
  )
  return new AppError(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${forms.join(', ')}`,
    null,
    'Give the arguments that tell them apart.',
  )
}

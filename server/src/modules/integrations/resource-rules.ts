import { isDeepStrictEqual } from 'node:util'
import { kindDefinition, registerSchemaFile } from '@quarterdeck/contract/documents'
import { LogBackendSpec } from '@quarterdeck/contract/log-backends'
import { z } from 'zod'
import type { DataApi } from '../../data-api/data-api.ts'
import type { BeforeWrite, Row, WriteCall } from '../../data-api/hooks.ts'
import { badRequest, conflict } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { nameFault, oneSpelling } from '../../platform/names.ts'
import { takenNames, unknownConnections, unknownPeople, yieldName } from './resource-rules.sql.ts'
import { refuseUsed } from './uses.service.ts'

interface Rule {
  /** With its article: a topology. */
  what: string
  spec?: () => z.ZodType
  maySpecBeNull?: boolean
  hasLabels?: boolean
  hasNamespace?: boolean
  /** A deleted row keeps its name in the key of the table; it gives it up when somebody needs it. */
  nameOutlivesRow?: boolean
  /** What the spec says in a column of its own. */
  fromSpec?: (spec: Record<string, unknown>) => Row
}

const rules: Record<string, Rule> = {
  topologies: {
    what: 'a topology',
    spec: () => kindDefinition('Topology').spec,
    hasLabels: true,
    hasNamespace: true,
    fromSpec: ({ schedule }) => ({ schedule: typeof schedule === 'string' ? schedule : null }),
  },
  logging_backends: { what: 'a log backend', spec: () => LogBackendSpec, hasLabels: true },
  incident_rules: { what: 'a rule', spec: () => kindDefinition('IncidentRule').spec, nameOutlivesRow: true },
  teams: { what: 'a team', spec: () => kindDefinition('Team').spec, maySpecBeNull: true, nameOutlivesRow: true },
  // What its checks must look like is for the engine to say, which tells it on the page of the health check.
  canaries: { what: 'a health check', spec: () => z.looseObject({}), hasLabels: true, hasNamespace: true },
  properties: { what: 'a property' },
}

registerSchemaFile('logging_backend.spec.schema.json', LogBackendSpec)

const Labels = z.record(z.string(), z.string({ error: 'must be text' }), { error: 'must be a map of text' })
const Name = z.string({ error: 'must be text' }).superRefine((text, context) => {
  const message = nameFault(text)
  if (message) context.addIssue({ code: 'custom', message })
})

/** What definitions saved through the data API must look like; the same words whoever the client is. */
export function registerResourceRules(api: Pick<DataApi, 'beforeWrite'>): void {
  for (const table of Object.keys(rules)) api.beforeWrite(table, checkRows)
  for (const table of ['teams', 'topologies', 'incident_rules']) api.beforeWrite(table, refuseUsed)
  api.beforeWrite('incident_rules', checkPeople)
  api.beforeWrite('notifications', checkEvents)
  api.beforeWrite('notifications', checkConnections)
}

const checkRows: BeforeWrite = async (call) => {
  const { kind, relation } = call
  if (kind === 'delete') return
  const rule = rules[relation]!
  const isNew = kind === 'insert'
  for (const row of call.rows) checkRow(rule, row, isNew)
  const rows = call.rows.map((row) => shaped(rule, row))
  if (isNew) await checkNames(call, rule, rows)
  else if (kind === 'update') await checkRenamed(call, rule, rows[0]!)
  else for (const row of rows) checkName(rule, row)
  return { rows }
}

/** A whole row that is sent back keeps its name, whatever it is; only another one has to be sound and free. */
async function checkRenamed(call: WriteCall, rule: Rule, row: Row): Promise<void> {
  const named = (['name', 'namespace'] as const).filter((column) => row[column] !== undefined)
  if (named.length === 0) return
  const moved = (await call.targets<Row>()).filter((target) => named.some((column) => target[column] !== row[column]))
  if (moved.length === 0) return
  checkName(rule, row)
  await checkNames(
    call,
    rule,
    moved.map((target) => ({ ...target, ...row })),
  )
}

function shaped({ fromSpec }: Rule, row: Row): Row {
  const name = typeof row.name === 'string' ? { name: oneSpelling(row.name) } : {}
  return { ...row, ...name, ...(row.spec === undefined ? {} : fromSpec?.(row.spec as Record<string, unknown>)) }
}

function checkName(rule: Rule, row: Row): void {
  if (row.name !== undefined) check(Name, row.name ?? '', 'name')
  if (rule.hasNamespace && row.namespace !== undefined) check(Name, row.namespace ?? 'default', 'namespace')
}

function checkRow(rule: Rule, row: Row, isNew: boolean): void {
  const has = (column: string) => isNew || row[column] !== undefined
  if (isNew) checkName(rule, { ...row, name: row.name ?? '' })
  if (rule.hasLabels && row.labels !== undefined && row.labels !== null) check(Labels, row.labels, 'labels')
  if (!rule.spec || !has('spec')) return
  const { spec } = row
  if ((spec ?? null) === null && rule.maySpecBeNull) return
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) throw badRequest('spec must be an object')
  check(rule.spec(), spec, 'spec')
}

function check(schema: z.ZodType, value: unknown, at: string): void {
  const result = schema.safeParse(value)
  if (result.success) return
  const lines = result.error.issues.slice(0, 20).map((issue) => {
    const path = issue.path.reduce<string>(
      (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
      at,
    )
    return `${path} ${wordsOf(issue)}`
  })
  throw badRequest(lines[0]!, lines.length > 1 ? lines.join('\n') : null)
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `has keys that are not known: ${issue.keys.join(', ')}`
  return issue.message.endsWith('received undefined') ? 'is needed' : lowered(issue.message)
}
const lowered = (text: string) => (/^(Invalid|Too|Unrecognized)/.test(text) ? `is not right: ${text}` : text)

async function checkNames({ sql, relation }: WriteCall, rule: Rule, rows: readonly Row[]): Promise<void> {
  const wanted = rows.map((row) => ({
    name: String(row.name),
    namespace: rule.hasNamespace ? String(row.namespace ?? 'default') : null,
  }))
  const twice = wanted.find((one, at) => wanted.some((other, before) => before < at && isDeepStrictEqual(one, other)))
  const [taken] = twice ? [twice] : await takenNames(sql, relation, wanted)
  if (taken) {
    const where = taken.namespace === null ? '' : ` in the namespace ${taken.namespace}`
    throw conflict(`There is ${rule.what} called ${taken.name}${where} already`)
  }
  if (rule.nameOutlivesRow) for (const { name } of wanted) await yieldName(sql, relation, name)
}

const checkPeople: BeforeWrite = async ({ sql, rows }) => {
  for (const row of rows) {
    const spec = row.spec as { template?: Record<string, unknown> } | null | undefined
    const template = spec?.template ?? {}
    const named = ['created_by', 'commander_id', 'communicator_id'].flatMap((key) =>
      isUuid(template[key]) ? [{ key, id: template[key] }] : [],
    )
    const missing = new Set(
      await unknownPeople(
        sql,
        named.map(({ id }) => id),
      ),
    )
    const wrong = named.find(({ id }) => missing.has(id.toLowerCase()))
    if (wrong) throw badRequest(`spec.template.${wrong.key}: there is no person with the id ${wrong.id}`)
  }
}

const Events = z.array(z.string().min(1)).min(1, 'must hold at least one event')

const checkEvents: BeforeWrite = ({ kind, rows }) => {
  if (kind === 'delete') return
  for (const { events } of rows) if (kind === 'insert' || events !== undefined) check(Events, events ?? [], 'events')
}

const checkConnections: BeforeWrite = async ({ sql, rows }) => {
  for (const row of rows) {
    const services = row.custom_services
    if (services === undefined || services === null) continue
    if (!Array.isArray(services)) throw badRequest('custom_services must be a list')
    const references = services.flatMap((service: { connection?: unknown } | null) =>
      typeof service?.connection === 'string' && service.connection !== '' ? [service.connection] : [],
    )
    const [missing] = await unknownConnections(sql, references)
    if (missing)
      throw badRequest(`There is no connection ${missing}`, null, 'Add it under Settings, Connections first.')
  }
}

import { connectionKind, connectionKinds } from '@quarterdeck/contract/connections/index'
import { hiddenValue } from '@quarterdeck/contract/connections/address'
import type { DataApi } from '../../data-api/data-api.ts'
import type { Row, WriteCall, WrittenCall } from '../../data-api/hooks.ts'
import { audit } from '../../platform/auth/audit.ts'
import type { Sql } from '../../platform/db/db.ts'
import { badRequest, conflict } from '../../platform/errors.ts'
import { nameFault, oneSpelling } from '../../platform/names.ts'
import { forgetConnections } from '../../platform/resolve/connections.ts'
import { connectionNamed } from './connections.sql.ts'
import type { Named } from './references.ts'
import { hiddenColumns, sealRow } from './seal.ts'
import { refuseWhileUsed } from './usage.service.ts'

/** What holds for connections however they are written: sound values, sealed secrets, nothing pulled from under others. */
export function registerConnectionHooks(api: Pick<DataApi, 'reshape' | 'beforeWrite' | 'afterWrite'>): void {
  api.reshape('connections', withProperties)
  api.beforeWrite('connections', beforeConnections)
  api.afterWrite('connections', afterConnections)
}

const loose = ['awsConnectionName', 'accessKey', 'secretKey'] as const

/** The form of restic in other consoles sends these beside the columns; they are properties. */
function withProperties(row: Row): Row {
  const found = loose.filter((key) => key in row)
  if (found.length === 0) return row
  const shaped: Row = { ...row, properties: { ...(row.properties as object | null) } }
  for (const key of found) {
    if (row[key] !== null && row[key] !== '') (shaped.properties as Row)[key] = row[key]
    delete shaped[key]
  }
  return shaped
}

type Stored = Named & { properties: Record<string, unknown> | null; deleted_at: string | null }

async function beforeConnections(call: WriteCall): Promise<{ rows: Row[] } | void> {
  const { kind, sql, rows, ctx } = call
  const targets = kind === 'insert' ? [] : await call.targets<Stored>()
  const isRemoval = kind === 'delete' || (kind === 'update' && (rows[0]?.deleted_at ?? null) !== null)
  if (isRemoval) for (const target of targets) await refuseWhileUsed(sql, target, 'deleted')
  if (kind === 'delete') return
  const made: Row[] = []
  for (const row of rows) {
    const old = kind === 'update' ? targets : targets.filter(({ id }) => id === row.id)
    const clean = checked(row, kind === 'update')
    await checkName(sql, clean, old, kind)
    made.push(sealRow(ctx.secrets, keepHidden(clean, old), (clean.type as string) ?? old[0]?.type))
  }
  return { rows: made }
}

/** The row as it may be stored, or a refusal that says what is wrong with it. */
function checked(row: Row, isUpdate: boolean): Row {
  const clean: Row = { ...row }
  for (const field of ['name', 'namespace'] as const) {
    if (!(field in row) && (isUpdate || field === 'namespace')) continue
    const text = typeof row[field] === 'string' ? oneSpelling(row[field].trim()) : ''
    if (text.includes('/')) throw badRequest(`The ${field} of a connection cannot hold a slash`)
    const fault = nameFault(text)
    if (fault) throw badRequest(`The ${field} of a connection ${fault}`)
    clean[field] = text
  }
  if ('type' in row || !isUpdate) {
    if (typeof row.type !== 'string' || !connectionKind(row.type))
      throw badRequest(
        `${typeof row.type === 'string' ? `"${row.type}"` : 'Nothing'} is not a type of connection`,
        null,
        `The types are ${connectionKinds.map(({ type }) => type).join(', ')}.`,
      )
  }
  for (const field of ['url', 'username', 'password', 'certificate'] as const) {
    if (field in row && row[field] !== null && typeof row[field] !== 'string')
      throw badRequest(`The ${field} of a connection must be text`)
  }
  if ('properties' in row) clean.properties = propertiesOf(row.properties)
  // Whoever says nothing wants certificates to be checked.
  if (!isUpdate && !('insecure_tls' in row)) clean.insecure_tls = false
  return clean
}

function propertiesOf(given: unknown): Record<string, string> | null {
  if (given === null || given === undefined) return null
  if (typeof given !== 'object' || Array.isArray(given))
    throw badRequest('The properties of a connection must be a map')
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]: [string, unknown]) => {
      if (value === null || value === undefined) return []
      if (typeof value === 'object') throw badRequest(`The property ${key} of a connection must be text`)
      return [[key, String(value)]]
    }),
  )
}

async function checkName(sql: Sql, row: Row, old: Stored[], kind: WriteCall['kind']): Promise<void> {
  const [target] = old
  const next = {
    name: (row.name as string) ?? target?.name,
    namespace: (row.namespace as string) ?? target?.namespace ?? 'default',
  }
  const moved = target !== undefined && (next.name !== target.name || next.namespace !== target.namespace)
  if (moved) await refuseWhileUsed(sql, target, 'renamed')
  if (kind !== 'insert' && !moved) return
  const taken = await connectionNamed(sql, next.name, next.namespace)
  if (taken && taken.id !== target?.id)
    throw conflict(`There is already a connection named ${next.name} in the namespace ${next.namespace}`)
}

/** A value that was shown as hidden and comes back so stays what it is. */
function keepHidden(row: Row, old: Stored[]): Row {
  const kept = { ...row }
  const hidden = hiddenColumns(row)
  const properties = row.properties as Record<string, unknown> | null | undefined
  const keys = Object.keys(properties ?? {}).filter((key) => properties![key] === hiddenValue)
  if (hidden.length + keys.length === 0) return row
  if (old.length !== 1)
    throw badRequest(`${hiddenValue} stands for a stored value; enter the ${[...hidden, ...keys][0]} of the connection`)
  for (const column of hidden) delete kept[column]
  const stored = old[0]!.properties ?? {}
  if (keys.length > 0)
    kept.properties = Object.fromEntries(
      Object.entries(properties!).flatMap(([key, value]) =>
        value !== hiddenValue ? [[key, value]] : key in stored ? [[key, stored[key]]] : [],
      ),
    )
  // An update has to name something.
  return Object.keys(kept).length > 0 ? kept : { type: old[0]!.type }
}

async function afterConnections({ ctx, sql, kind, rows, principal }: WrittenCall): Promise<void> {
  forgetConnections(ctx)
  for (const row of rows as unknown as Stored[]) {
    const isGone = kind === 'delete' || row.deleted_at !== null
    await audit(sql, {
      action: isGone ? 'connection_deleted' : kind === 'update' ? 'connection_changed' : 'connection_added',
      actor: principal,
      target: { type: 'connection', id: row.id, name: `${row.namespace}/${row.name}` },
      details: { type: row.type },
    })
  }
}

import type pg from 'pg'
import { StartupError } from '../errors.ts'
import type { Db, Sql } from './db.ts'
import { lockClass, locks } from './locks.ts'
import { ensurePartitions } from './partitions.ts'
import { withRights } from './requirements.ts'
import { readSchemaFiles, type SchemaFiles, type SqlFile } from './schema-files.ts'

export interface MigrationStep {
  name: string
  /** Steps finished before this one, and how many there are. */
  done: number
  total: number
}

export interface MigrateOptions {
  onProgress?: (step: MigrationStep) => void
  /** Other files than the product's own; for tests. */
  files?: SchemaFiles
}

/** Name under which migration_logs remembers the functions, views and triggers as a whole. */
const viewsPath = 'views'

/** Brings the schema up to date: numbered migrations once each, views and functions whenever their text changed. */
export const migrate = (db: Db, options: MigrateOptions = {}): Promise<void> => withRights(bringUpToDate(db, options))

async function bringUpToDate(db: Db, options: MigrateOptions): Promise<void> {
  const files = options.files ?? readSchemaFiles()
  const applied = await readLog(db)
  const pending = pendingMigrations(files, applied)
  if (pending.length === 0 && applied.get(viewsPath)?.equals(files.viewsHash)) return

  const total = pending.length + 1
  for (const [done, file] of pending.entries()) {
    options.onProgress?.({ name: file.name, done, total })
    await applyMigration(db, files, file)
  }
  options.onProgress?.({ name: viewsPath, done: total - 1, total })
  await recreateViews(db, files)
  await ensurePartitions(db, new Date())
}

const oldestSupported = 140_000

/** Throws when this PostgreSQL is older than the product can work with. */
export function refuseOldServer(version: number, printed: string): void {
  if (version >= oldestSupported) return
  throw new StartupError(
    `PostgreSQL 14 or later is needed, but the database server is ${printed}: upgrade it or set DATABASE_URL to another one.`,
  )
}

type Log = Map<string, Buffer>

async function readLog(sql: Sql): Promise<Log> {
  const server = await sql.one<{ version: number; printed: string; encoding: string; has_log: boolean }>(`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as printed,
           current_setting('server_encoding') as encoding, to_regclass('public.migration_logs') is not null as has_log`)
  refuseOldServer(server.version, server.printed)
  if (server.encoding !== 'UTF8') {
    throw new StartupError(
      `The database has the encoding ${server.encoding}: create one with encoding UTF8 and set DATABASE_URL to it.`,
    )
  }
  if (!server.has_log) return new Map()
  const rows = await sql.query<{ path: string; hash: Buffer }>('select path, hash from public.migration_logs')
  return new Map(rows.map(({ path, hash }) => [path, hash]))
}

/** Migrations this database still lacks; refuses a database that knows more, or knows one differently. */
export function pendingMigrations({ migrations }: Pick<SchemaFiles, 'migrations'>, applied: Log): SqlFile[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied.keys()].filter((path) => path !== viewsPath && !known.has(path)).sort()
  if (unknown.length > 0) {
    throw new StartupError(
      `The database was migrated by a newer version (it has ${unknown.at(-1)}): start that version or a later one.`,
    )
  }
  const changed = migrations.find(({ name, hash }) => applied.has(name) && !applied.get(name)!.equals(hash))
  if (changed) {
    throw new StartupError(
      `Migration ${changed.name} was edited after this database ran it: restore the file, or start with a new database.`,
    )
  }
  return migrations.filter(({ name }) => !applied.has(name))
}

/** A running server may hold what a step wants to change: come back rather than make everybody wait in line. */
const busy = new Set(['55P03', '40P01'])
const attempts = 20

type Step = (sql: Sql, client: pg.PoolClient, applied: Log) => Promise<void>

/**
 * Each step takes the same transaction-level lock and reads the log again under it. Several processes may start at
 * once: one does the step, the others find it done. No lock outlives a transaction, so a pooler in between is fine.
 */
async function locked(db: Db, step: Step): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.tx(async (sql, client) => {
        await sql.query(`select set_config('statement_timeout', '0', true), set_config('search_path', 'public', true),
                                set_config('client_min_messages', 'warning', true)`)
        await sql.query('select pg_advisory_xact_lock($1, $2)', [lockClass, locks.migrate])
        await sql.query(`select set_config('lock_timeout', '3s', true)`)
        await sql.query(`create table if not exists public.migration_logs (
          path varchar(255) primary key, hash bytea not null, updated_at timestamptz not null default now())`)
        await step(sql, client, await readLog(sql))
      })
    } catch (error) {
      if (!busy.has(sqlState(error) ?? '') || attempt === attempts) throw error
      await new Promise((resolve) => setTimeout(resolve, 250 * attempt))
    }
  }
}

const sqlState = (error: unknown): string | undefined =>
  ((error as Error).cause as pg.DatabaseError | undefined)?.code ?? (error as pg.DatabaseError).code

const remember = (sql: Sql, path: string, hash: Buffer) =>
  sql.run(
    `insert into migration_logs (path, hash) values ($1, $2)
     on conflict (path) do update set hash = excluded.hash, updated_at = now()`,
    [path, hash],
  )

async function applyMigration(db: Db, files: SchemaFiles, file: SqlFile): Promise<void> {
  await locked(db, async (sql, client, applied) => {
    if (!pendingMigrations(files, applied).includes(file)) return
    await runFile(client, file)
    await remember(sql, file.name, file.hash)
  })
}

async function recreateViews(db: Db, files: SchemaFiles): Promise<void> {
  await locked(db, async (sql, client, applied) => {
    if (applied.get(viewsPath)?.equals(files.viewsHash)) return
    await sql.query(`create table if not exists migration_objects (
      position int primary key, kind text not null, identity text not null)`)
    await dropRecreatable(sql)
    const before = await existingObjects(sql)
    for (const file of files.views) await runFile(client, file)
    const made = (await existingObjects(sql)).filter(({ key }) => !before.some((old) => old.key === key))
    await sql.run(
      `insert into migration_objects (position, kind, identity)
       select position, kind, identity from unnest($1::text[], $2::text[]) with ordinality as made (kind, identity, position)`,
      [made.map(({ kind }) => kind), made.map(({ identity }) => identity)],
    )
    await remember(sql, viewsPath, files.viewsHash)
    // Other processes keep a picture of the schema; this tells them to look again.
    await sql.query(`notify quarterdeck_schema`)
  })
}

interface SchemaObject {
  key: string
  kind: 'view' | 'routine' | 'trigger'
  identity: string
}

/** Views, routines and triggers of `public` in the order they were made; parts of extensions left out. */
const existingObjects = (sql: Sql) =>
  sql.query<SchemaObject>(`
    select key, kind, identity from (
      select 'v' || c.oid as key, 'view' as kind, format('%I', c.relname) as identity, c.oid
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
      union all
      select 'f' || p.oid, 'routine', format('%I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)), p.oid
      from pg_proc p where p.pronamespace = 'public'::regnamespace
      union all
      select 't' || t.oid, 'trigger', format('%I on %I', t.tgname, c.relname), t.oid
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
    ) objects
    where not exists (select from pg_depend d where d.objid = objects.oid and d.deptype = 'e')
    order by oid::bigint`)

const dependentObjectsExist = '2BP01'

/** Drops what the last run made, last first. Without cascade: a view of the user's own is never taken along. */
async function dropRecreatable(sql: Sql): Promise<void> {
  const made = await sql.query<{ kind: string; identity: string }>(
    'select kind, identity from migration_objects order by position desc',
  )
  const triggersFirst = [...made].sort((a, b) => Number(b.kind === 'trigger') - Number(a.kind === 'trigger'))
  try {
    for (const { kind, identity } of triggersFirst) await sql.query(`drop ${kind} if exists ${identity}`)
  } catch (error) {
    const { message, detail, code } = error as pg.DatabaseError
    if (code !== dependentObjectsExist) throw error
    throw new StartupError(
      `The views cannot be renewed because something of yours depends on them (${detail ?? message}): drop it, start again, then create it anew.`,
    )
  }
  await sql.query('delete from migration_objects')
}

async function runFile(client: pg.PoolClient, file: SqlFile): Promise<void> {
  try {
    await client.query(file.text)
  } catch (error) {
    const { message, position, where } = error as pg.DatabaseError
    const line = position ? ` at line ${file.text.slice(0, Number(position)).split('\n').length}` : ''
    throw new StartupError(`${file.name} failed${line}: ${message}${where ? ` (${where.split('\n')[0]})` : ''}`, {
      cause: error,
    })
  }
}

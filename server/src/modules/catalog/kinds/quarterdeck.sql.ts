import type { Sql } from '../../../platform/db/db.ts'

/** What can be said of a server by anybody who may connect to it; nothing that names files or secrets. */
export async function serverSettings(
  sql: Sql,
): Promise<{ version: string; connections: number; settings: { name: string; value: string }[] }> {
  const { version, connections } = await sql.one<{ version: string; connections: number }>(
    `select current_setting('server_version') as version, (select count(*)::int from pg_stat_activity) as connections`,
  )
  const settings = await sql.query<{ name: string; value: string }>(
    `select name, setting || coalesce(' ' || unit, '') as value from pg_settings where name in (
       'autovacuum', 'checkpoint_timeout', 'effective_cache_size', 'fsync', 'full_page_writes', 'lc_collate', 'listen_addresses',
       'maintenance_work_mem', 'max_connections', 'max_wal_size', 'max_worker_processes', 'password_encryption', 'port',
       'server_encoding', 'shared_buffers', 'ssl', 'synchronous_commit', 'timezone', 'wal_level', 'work_mem')
     order by name`,
  )
  return { version, connections, settings }
}

export interface DatabaseFacts {
  name: string
  owner: string
  encoding: string
  collation: string
  size: string
  extensions: string[]
}

export const databaseFacts = (sql: Sql): Promise<DatabaseFacts> =>
  sql.one(
    `select d.datname as name, pg_get_userbyid(d.datdba) as owner, pg_encoding_to_char(d.encoding) as encoding,
            d.datcollate as collation, pg_database_size(d.oid) as size,
            array(select extname || ' ' || extversion from pg_extension order by extname) as extensions
       from pg_database d where d.datname = current_database()`,
  )

export interface TableFacts {
  schema: string
  name: string
  description: string | null
  partitioned: boolean
  rows: string
  size: string
  columns: { name: string; type: string; required?: boolean }[]
  indexes: string[]
  references: { schema: string; name: string; constraint: string }[]
}

/** Tables of the database without their partitions; the queue's own are not ours to show. */
export const tableFacts = (sql: Sql): Promise<TableFacts[]> =>
  sql.query(
    `select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as description,
            c.relkind = 'p' as partitioned,
            case c.relkind when 'p' then (
              select coalesce(sum(greatest(part.reltuples, 0)), 0) from pg_inherits i join pg_class part on part.oid = i.inhrelid
               where i.inhparent = c.oid) else greatest(c.reltuples, 0) end as rows,
            case c.relkind when 'p' then (
              select coalesce(sum(pg_total_relation_size(i.inhrelid)), 0) from pg_inherits i where i.inhparent = c.oid)
              else pg_total_relation_size(c.oid) end as size,
            (select json_agg(json_strip_nulls(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                'required', case when a.attnotnull then true end)) order by a.attnum)
               from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
            array(select x.indexrelid::regclass::text from pg_index x where x.indrelid = c.oid order by 1) as indexes,
            coalesce((select json_agg(json_build_object('schema', fn.nspname, 'name', f.relname, 'constraint', k.conname) order by k.conname)
               from pg_constraint k join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
              where k.conrelid = c.oid and k.contype = 'f'), '[]') as references
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker') and n.nspname not like 'pg\\_%'
      order by 1, 2 limit 2000`,
  )

export const migrations = (sql: Sql): Promise<{ path: string; updated_at: Date }[]> =>
  sql.query(`select path, updated_at from migration_logs where path <> 'views' order by updated_at, path`)

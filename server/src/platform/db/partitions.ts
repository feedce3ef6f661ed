import type { Db, Sql } from './db.ts'
import { lockClass, locks } from './locks.ts'

/** Tables cut by day, and the column that cuts them. */
export const partitionedTables = { check_statuses: 'time' } as const
export type PartitionedTable = keyof typeof partitionedTables

const day = 86_400_000
const schema = 'quarterdeck_partitions'
/** Days made ahead: a worker that was down for a week still finds today's partition. */
const daysAhead = 7

const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / day) * day)
const partitionName = (table: PartitionedTable, start: Date) =>
  `${table}_p${start.toISOString().slice(0, 10).replaceAll('-', '')}`

/** Makes yesterday's to next week's partitions of every partitioned table that are missing. Safe to call at any time. */
export async function ensurePartitions(db: Db, now: Date): Promise<void> {
  for (const table of Object.keys(partitionedTables) as PartitionedTable[]) {
    const present = new Set((await listPartitions(db, table)).map(({ name }) => name))
    for (let offset = -1; offset <= daysAhead; offset += 1) {
      const start = new Date(startOfDay(now).getTime() + offset * day)
      if (!present.has(partitionName(table, start))) await addPartition(db, table, start)
    }
  }
}

/**
 * A partition is filled first and attached then: attaching does not stop readers and writers of the other days, and
 * rows that had to go to the default partition move over.
 */
async function addPartition(db: Db, table: PartitionedTable, start: Date): Promise<void> {
  const column = partitionedTables[table]
  const name = partitionName(table, start)
  const from = start.toISOString()
  const to = new Date(start.getTime() + day).toISOString()
  await db.tx(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1, $2)', [lockClass, locks.partitions])
    const exists = await sql.one<{ exists: boolean }>(`select to_regclass($1) is not null as exists`, [
      `${schema}.${name}`,
    ])
    if (exists.exists) return
    await sql.query(`create table ${schema}.${name} (like public.${table} including all)`)
    // Nobody may add to the default partition between the move and the attach.
    await sql.query(`lock table ${schema}.${table}_default in share row exclusive mode`)
    await sql.query(
      `with moved as (delete from ${schema}.${table}_default where ${column} >= $1 and ${column} < $2 returning *)
       insert into ${schema}.${name} select * from moved`,
      [from, to],
    )
    await sql.query(
      `alter table public.${table} attach partition ${schema}.${name} for values from ('${from}') to ('${to}')`,
    )
  })
}

export interface Partition {
  name: string
  start: Date
  end: Date
}

/** The day partitions of a table, oldest first. */
export async function listPartitions(sql: Sql, table: PartitionedTable): Promise<Partition[]> {
  const rows = await sql.query<{ name: string }>(
    `select child.relname as name
     from pg_inherits i join pg_class child on child.oid = i.inhrelid
     where i.inhparent = to_regclass($1) order by 1`,
    [`public.${table}`],
  )
  return rows.flatMap(({ name }) => {
    const [, year, month, date] = /_p(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
    if (!year) return []
    const start = new Date(`${year}-${month}-${date}T00:00:00Z`)
    return [{ name, start, end: new Date(start.getTime() + day) }]
  })
}

/** Drops partitions that ended before `before`; strays in the default partition go too. Returns the dropped names. */
export async function dropOldPartitions(db: Db, table: PartitionedTable, before: Date): Promise<string[]> {
  const old = (await listPartitions(db, table)).filter(({ end }) => end <= before)
  for (const { name } of old) {
    await db.tx(async (sql) => {
      // Dropping waits for readers of the table and makes later ones wait: rather give up and come back next time.
      await sql.query(`select set_config('lock_timeout', '5s', true)`)
      await sql.query(`drop table if exists ${schema}.${name}`)
    })
  }
  await db.run(`delete from ${schema}.${table}_default where ${partitionedTables[table]} < $1`, [before])
  return old.map(({ name }) => name)
}

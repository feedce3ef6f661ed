import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { StartupError } from '../errors.ts'
import { openDb } from './db.ts'
import { migrate, type MigrationStep } from './migrate.ts'
import { readSchemaFiles, schemaFiles, sqlFile } from './schema-files.ts'

const db = await testDatabase({ empty: true })

const objects = () =>
  db.query<{ kind: string; name: string; definition: string }>(`
    select 'view' as kind, viewname as name, definition from pg_views where schemaname = 'public'
    union all select 'function', oid::regprocedure::text, prosrc from pg_proc where pronamespace = 'public'::regnamespace
    union all select 'trigger', tgname || ' on ' || tgrelid::regclass, pg_get_triggerdef(oid) from pg_trigger
      where not tgisinternal and tgparentid = 0
    union all select 'table', oid::regclass::text, '' from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    order by 1, 2`)

test('several processes may migrate an empty database at once', async () => {
  const others = Array.from({ length: 3 }, () => openDb({ url: db.url, max: 2 }))
  await Promise.all(others.map((other) => migrate(other)))
  await Promise.all(others.map((other) => other.close()))
  const logged = await db.query<{ path: string }>('select path from migration_logs order by path')
  expect(logged.map(({ path }) => path)).toEqual([...readSchemaFiles().migrations.map(({ name }) => name), 'views'])
})

test('a second migrate changes nothing and is quick', async () => {
  const before = await db.query(`select path, updated_at from migration_logs order by path`)
  const steps: MigrationStep[] = []
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const started = performance.now()
    await migrate(db, { onProgress: (step) => steps.push(step) })
    times.push(performance.now() - started)
  }
  expect(steps).toEqual([])
  expect(await db.query(`select path, updated_at from migration_logs order by path`)).toEqual(before)
  expect(Math.min(...times)).toBeLessThan(100)
})

test('renewing the views leaves the same objects behind', async () => {
  const before = await objects()
  await db.run(`update migration_logs set hash = '\\x00' where path = 'views'`)
  const steps: MigrationStep[] = []
  await migrate(db, { onProgress: (step) => steps.push(step) })
  expect(steps).toEqual([{ name: 'views', done: 0, total: 1 }])
  expect(await objects()).toEqual(before)
})

test('a step waits in turns for a server that is at work', async () => {
  const client = await db.pool.connect()
  await client.query('begin')
  await client.query('select count(*) from checks, configs')
  await db.run(`update migration_logs set hash = '\\x00' where path = 'views'`)
  const migrating = migrate(db)
  await new Promise((resolve) => setTimeout(resolve, 4000))
  // Between two tries others get through.
  await client.query('commit')
  client.release()
  await migrating
  await db.query('select * from configs limit 1')
})

describe('with files of a test', () => {
  const { migrations, views } = readSchemaFiles()
  const extra = sqlFile('9000_extra.sql', 'create table extra (id int primary key, note text);')
  const extraView = sqlFile('900_extra.sql', 'create view extra_notes as select * from extra;')

  test('an object that is no longer in the files goes away', async () => {
    await migrate(db, { files: schemaFiles([...migrations, extra], [...views, extraView]) })
    await db.query('select note from extra_notes')
    await migrate(db, { files: schemaFiles([...migrations, extra], views) })
    await expect(db.query('select note from extra_notes')).rejects.toThrow(/does not exist/)
  })

  test('this version refuses the database of a newer one', async () => {
    await expect(migrate(db)).rejects.toThrow(StartupError)
    await expect(migrate(db)).rejects.toThrow(/newer version \(it has 9000_extra\.sql\)/)
  })

  test('a failing migration leaves nothing behind and names the place', async () => {
    const broken = sqlFile('9001_broken.sql', 'create table half (id int);\nselect wrong from half;')
    const files = schemaFiles([...migrations, extra, broken], views)
    await expect(migrate(db, { files })).rejects.toThrow(
      /9001_broken\.sql failed at line 2: column "wrong" does not exist/,
    )
    expect(await db.one(`select to_regclass('half') as half`)).toEqual({ half: null })
    await db.run(`delete from migration_logs where path like '900%'`)
    await db.run('drop table extra')
    await migrate(db)
  })

  test('a view of the user that depends on ours is never dropped along', async () => {
    await db.run('create view my_report as select id, type from configs')
    await db.run(`update migration_logs set hash = '\\x00' where path = 'views'`)
    await expect(migrate(db)).rejects.toThrow(/my_report depends on/)
    await db.query('select * from my_report')
    await db.run('drop view my_report')
    await migrate(db)
  })

  test('a view of the user that depends on nothing of ours stays', async () => {
    await db.run('create view my_own as select 1 as one')
    await db.run(`update migration_logs set hash = '\\x00' where path = 'views'`)
    await migrate(db)
    expect(await db.one('select one from my_own')).toEqual({ one: 1 })
  })
})

test('an ordinary owner of a database can migrate it', async () => {
  await db.run(`create role plain_owner login`)
  const name = `plain_${process.pid}`
  const admin = openDb({ url: db.url, max: 1 })
  await admin.run(`create database ${name} owner plain_owner template template0`)
  const url = new URL(db.url)
  url.pathname = `/${name}`
  url.searchParams.set('options', '-c role=plain_owner')
  const own = openDb({ url: url.href, max: 2 })
  try {
    await migrate(own)
    expect(await own.one(`select count(*)::int as n from configs`)).toEqual({ n: 0 })
    expect(await own.one(`select tableowner from pg_tables where tablename = 'checks'`)).toEqual({
      tableowner: 'plain_owner',
    })
  } finally {
    await own.close()
    await admin.run(`drop database ${name} with (force)`)
    await admin.run('drop role plain_owner')
    await admin.close()
  }
})

test('a user without rights is told so in one line', async () => {
  const role = `guest_${process.pid}`
  await db.run(`create role ${role} login`)
  const url = new URL(db.url)
  url.searchParams.set('options', `-c role=${role}`)
  const guest = openDb({ url: url.href, max: 1 })
  try {
    await expect(migrate(guest)).rejects.toThrow(
      new StartupError(
        'The database user may not make or change tables (permission denied for table migration_logs): make it the owner ' +
          'of the database, or run quarterdeck migrate once as a user that is.',
      ),
    )
  } finally {
    await guest.close()
    await db.run(`drop role ${role}`)
  }
})

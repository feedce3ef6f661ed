import { expect, test } from 'vitest'
import { rows } from '../../testing/rows.ts'
import { testDatabase } from '../../testing/database.ts'
import { dropOldPartitions, ensurePartitions, listPartitions } from './partitions.ts'

const db = await testDatabase()
const { aCheck, insert } = rows(db)
const check = await aCheck()

const result = (time: string) => insert('check_statuses', { check_id: check.id, time, status: true, duration: 5 })
const partitionOf = (time: string) =>
  db.one<{ name: string }>(`select tableoid::regclass::text as name from check_statuses where time = $1`, [time])

test('migrating makes yesterday to next week', async () => {
  const days = await listPartitions(db, 'check_statuses')
  const today = new Date().toISOString().slice(0, 10)
  expect(days.map(({ start }) => start.toISOString().slice(0, 10))).toContain(today)
  expect(days).toHaveLength(9)
})

test('a result of a day without a partition is kept, and moves when the day gets one', async () => {
  await result('2031-05-05T10:00:00Z')
  expect(await partitionOf('2031-05-05T10:00:00Z')).toEqual({ name: 'quarterdeck_partitions.check_statuses_default' })
  await ensurePartitions(db, new Date('2031-05-05T12:00:00Z'))
  expect(await partitionOf('2031-05-05T10:00:00Z')).toEqual({ name: 'quarterdeck_partitions.check_statuses_p20310505' })
})

test('bounds are days in UTC whatever the session says', async () => {
  await db.tx(async (sql) => {
    await sql.query(`set local time zone 'Asia/Tokyo'`)
    await sql.query(
      `insert into check_statuses (check_id, time, status) values ($1, '2031-05-05T23:59:59.999Z', true)`,
      [check.id],
    )
  })
  expect(await partitionOf('2031-05-05T23:59:59.999Z')).toEqual({
    name: 'quarterdeck_partitions.check_statuses_p20310505',
  })
})

test('partitions are made once even when several workers ask at once', async () => {
  const now = new Date('2031-08-01T00:00:00Z')
  await Promise.all([1, 2, 3].map(() => ensurePartitions(db, now)))
  const names = (await listPartitions(db, 'check_statuses')).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('check_statuses_p203108'))).toHaveLength(8)
})

test('old partitions are dropped whole and strays deleted', async () => {
  await result('2031-05-04T10:00:00Z')
  await result('2019-01-01T00:00:00Z')
  const dropped = await dropOldPartitions(db, 'check_statuses', new Date('2031-05-05T00:00:00Z'))
  expect(dropped).toContain('check_statuses_p20310504')
  expect(dropped).not.toContain('check_statuses_p20310505')
  const left = await db.query<{ time: Date }>('select time from check_statuses order by time')
  expect(left.map(({ time }) => time.toISOString().slice(0, 10))).toEqual(['2031-05-05', '2031-05-05'])
})

test('a check that is removed takes its results along', async () => {
  await db.run('delete from checks where id = $1', [check.id])
  expect(await db.one('select count(*)::int as n from check_statuses')).toEqual({ n: 0 })
})

test('partitions stay out of the public schema', async () => {
  const found = await db.query(
    `select relname from pg_class where relispartition and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  expect(found).toEqual([])
})

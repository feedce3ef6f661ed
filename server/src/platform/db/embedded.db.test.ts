import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'

const db = await testDatabase()

test('a test file has a database of its own', async () => {
  await db.run('create table only_here (id int)')
  expect(await db.run('insert into only_here values (1), (2)')).toBe(2)
})

import { beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../testing/database.ts'
import { defaultLimits } from './limits.ts'
import { compiled, Statements } from './statements.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase({ empty: true })
})
const bindings = { slots: [], limit: 0, offset: 0, person: '' }

test('a statement that takes long gives its turn to the next', async () => {
  const statements = new Statements(db, { ...defaultLimits, readsAtOnce: 1 })
  const ended: string[] = []
  const read = async (name: string, text: string) => {
    await statements.read(compiled({ text, params: [] }), bindings)
    ended.push(name)
  }
  await Promise.all([read('slow', 'select pg_sleep(2)'), read('quick', 'select 1'), read('another', 'select 2')])
  expect(ended).toEqual(['quick', 'another', 'slow'])
})

test('a turn is free again after a statement that failed', async () => {
  const statements = new Statements(db, { ...defaultLimits, readsAtOnce: 1 })
  const read = (text: string) => statements.read(compiled({ text, params: [] }), bindings)
  await expect(read('select 1 / 0')).rejects.toThrow('division by zero')
  expect(await read('select 1 as one')).toEqual([{ one: 1 }])
})

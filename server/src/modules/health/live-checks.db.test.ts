import { expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { testDatabase } from '../../testing/database.ts'

const db = await testDatabase()

test('consoles hear of a check that flips, not of every run', async () => {
  const [canary, check] = [newId(), newId()]
  await db.run(`insert into canaries (id, name, namespace, spec) values ($1, 'c', 'd', '{}')`, [canary])
  await db.run(`insert into checks (id, canary_id, type, name) values ($1, $2, 'http', 'x')`, [check, canary])
  const heard = async (change: string) => {
    const { id } = await db.one<{ id: string }>('select coalesce(max(id), 0) as id from live_changes')
    await db.run(`update checks set ${change} where id = $1`, [check])
    return (
      await db.query<{ ids: string[] }>(`select ids from live_changes where id > $1 and relation = 'checks'`, [id])
    ).map(({ ids }) => ids)
  }
  expect(await heard(`status = 'healthy', last_runtime = now()`)).toEqual([[check]])
  expect(await heard('last_runtime = now(), next_runtime = now()')).toEqual([])
  expect(await heard(`status = 'unhealthy', last_runtime = now()`)).toEqual([[check]])
})

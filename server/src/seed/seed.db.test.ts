import { expect, test } from 'vitest'
import { ensureFirstAdministrator } from '../modules/people/first-administrator.ts'
import { testContext } from '../testing/context.ts'
import { testDatabase } from '../testing/database.ts'
import { removeSeed, seed } from './seed.ts'

const db = await testDatabase()
const ctx = testContext(db)
const request = { configs: 700, changes: 50, checks: 30, results: 5, components: 40, incidents: 7 }
const countOf = async (table: string) =>
  (await db.one<{ count: number }>(`select count(*)::int as count from ${table}`)).count
const counts = async () =>
  Object.fromEntries(
    await Promise.all(
      ['config_items', 'config_changes', 'checks', 'check_statuses', 'components', 'incidents'].map(async (table) => [
        table,
        await countOf(table),
      ]),
    ),
  )

test('seeding fills, again adds nothing, wakes nobody, and can be taken back', async () => {
  await ensureFirstAdministrator(ctx)
  const before = await counts()
  await seed(ctx, request, () => {})
  const full = { config_items: 700, config_changes: 50, checks: 30, check_statuses: 150, components: 40, incidents: 7 }
  expect(await counts()).toEqual(full)
  expect(await countOf('event_queue')).toBe(0)
  await seed(ctx, request, () => {})
  expect(await counts()).toEqual(full)

  const deep = await db.one<{ path: string; parent_id: string }>(
    `select path, parent_id from config_items where external_id = array['seed/699']`,
  )
  const ancestors = deep.path.split('.')
  expect(ancestors).toHaveLength(3)
  expect(ancestors.at(-1)).toBe(deep.parent_id)
  expect((await db.query('select 1 from check_status_summary where passed > 0')).length).toBeGreaterThan(0)

  await removeSeed(ctx, () => {})
  expect(await counts()).toEqual(before)
})

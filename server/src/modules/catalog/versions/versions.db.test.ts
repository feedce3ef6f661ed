import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { rows } from '../../../testing/rows.ts'
import { canonical } from '../ingest/canonical.ts'
import { rowIdOf } from '../ingest/row-id.ts'
import { versionRetention } from '../retention/retention.jobs.ts'
import { runJob } from '../../jobs/run-job.ts'
import { aScraper, customSpec, scrape, setSpec } from '../testing.ts'
import { versionsOfChange } from './versions.service.ts'

const db = await testDatabase()
const clock = fakeClock('2026-03-01T10:00:00Z')
const ctx = testContext(db, { clock })
const { insert } = rows(db)

/** Scrapes one document after the other and gives the scraper. */
async function history(id: string, versions: object[], transform: object = {}, pauseMs = 60_000) {
  const spec = (body: object) => customSpec([{ ...body, id }], { transform })
  let scraper = await aScraper(db, spec(versions[0]!), `default/${id}`)
  await scrape(ctx, scraper)
  for (const version of versions.slice(1)) {
    clock.add(pauseMs)
    scraper = await setSpec(db, scraper, spec(version))
    await scrape(ctx, scraper)
  }
  return scraper
}
const changesOf = (id: string) =>
  db.query<{ id: string; count: number }>(
    'select id, count from config_changes where config_id = $1 order by created_at, id',
    [rowIdOf('Test::Thing', id)],
  )

test('every version of an item is rebuilt from its changes', async () => {
  const versions = [
    { a: 1, b: { c: ['x'] } },
    { a: 'one', b: { c: ['x', 'y'] } },
    { b: { d: true } },
    { a: { deep: [1] } },
  ]
  await history('walk', versions)
  const changes = await changesOf('walk')
  expect(changes).toHaveLength(3)
  for (const [index, { id }] of changes.entries()) {
    expect(await versionsOfChange(ctx, id)).toEqual({
      before: canonical({ ...versions[index], id: 'walk' }),
      after: canonical({ ...versions[index + 1], id: 'walk' }),
      complete: true,
    })
  }
})

test('a folded change shows its last time, and older ones stay exact', async () => {
  await history('fold', [
    { s: 'a' },
    { s: 'b' },
    { s: 'b', n: 1 },
    { s: 'b', n: 2 },
    { s: 'b', n: 3 },
    { s: 'b', n: 4 },
    { s: 'z', n: 4 },
  ])
  const changes = await changesOf('fold')
  expect(changes.map(({ count }) => count)).toEqual([1, 4, 1])
  const shown = await Promise.all(changes.map(({ id }) => versionsOfChange(ctx, id)))
  expect(shown.map(({ before, after }) => [before, after])).toEqual([
    [
      { id: 'fold', s: 'a' },
      { id: 'fold', s: 'b' },
    ],
    [
      { id: 'fold', s: 'b', n: 3 },
      { id: 'fold', s: 'b', n: 4 },
    ],
    [
      { id: 'fold', s: 'b', n: 4 },
      { id: 'fold', s: 'z', n: 4 },
    ],
  ])
  const { count } = await db.one<{ count: number }>(
    'select count(*)::int as count from config_change_undos where config_id = $1',
    [rowIdOf('Test::Thing', 'fold')],
  )
  expect(count).toBe(4)
})

test('a diff that a rule leaves out keeps the others exact', async () => {
  await history('left-out', [{ a: 'x' }, { a: 'y' }, { a: 'y', noise: 'n' }, { a: 'w', noise: 'n' }], {
    changes: { exclude: ['has(patch.noise)'] },
  })
  const changes = await changesOf('left-out')
  expect(changes).toHaveLength(2)
  const [first] = changes
  expect(await versionsOfChange(ctx, first!.id)).toMatchObject({
    before: { a: 'x' },
    after: { a: 'y' },
    complete: true,
  })
})

test('any history comes back', async () => {
  const value = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom('x', 'y'),
    fc.array(fc.integer({ max: 2, min: 0 }), { maxLength: 2 }),
  )
  const document = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(value, fc.dictionary(fc.constantFrom('d', 'e'), value, { maxKeys: 2 })),
    { maxKeys: 3 },
  )
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(document, { minLength: 3, maxLength: 7 }), async (versions) => {
      const name = `any-${run++}`
      await history(name, versions)
      const wanted = versions.map((version) => canonical({ ...version, id: name }))
      for (const { id } of await changesOf(name)) {
        const { before, after, complete } = await versionsOfChange(ctx, id)
        expect(complete).toBe(true)
        // Some place in the history where exactly this step was taken.
        const places = wanted.slice(1).filter((next, index) => same(wanted[index], before) && same(next, after))
        expect(places.length).toBeGreaterThan(0)
      }
    }),
    { numRuns: 12 },
  )
}, 60_000)
const same = (one: unknown, two: unknown) => JSON.stringify(canonical(one)) === JSON.stringify(canonical(two))

test('retention keeps what it keeps exact, also where an evidence holds an old change', async () => {
  await history('kept', [{ v: 'a' }, { v: 'b' }, { v: 'c' }, { v: 'd' }, { v: 'e' }], {}, 2 * 3_600_000)
  const [one, two, three, four] = await changesOf('kept')
  await db.run('delete from config_changes where id = any($1::uuid[])', [[one!.id, three!.id]])
  await runJob(ctx, versionRetention)
  expect(await versionsOfChange(ctx, two!.id)).toMatchObject({ before: { v: 'b' }, after: { v: 'c' }, complete: true })
  expect(await versionsOfChange(ctx, four!.id)).toMatchObject({ before: { v: 'd' }, after: { v: 'e' }, complete: true })
  const steps = () =>
    db.query('select step from config_change_undos where config_id = $1 order by step', [
      rowIdOf('Test::Thing', 'kept'),
    ])
  expect(await steps()).toEqual([{ step: 2 }, { step: 3 }, { step: 4 }])
  await db.run('delete from config_changes where config_id = $1', [rowIdOf('Test::Thing', 'kept')])
  await runJob(ctx, versionRetention)
  expect(await steps()).toEqual([])
})

test('what cannot be rebuilt says why', async () => {
  await history('odd', [{ v: 'a' }, { v: 'b' }])
  const [change] = await changesOf('odd')
  await db.run(`update config_items set config = '{"v": "edited"}' where id = $1`, [rowIdOf('Test::Thing', 'odd')])
  expect(await versionsOfChange(ctx, change!.id)).toEqual({
    before: null,
    after: null,
    complete: false,
    reason: 'The stored document was changed by something else than its scraper.',
  })
  const event = await insert('config_changes', { config_id: rowIdOf('Test::Thing', 'odd'), change_type: 'Started' })
  expect(await versionsOfChange(ctx, event.id as string)).toMatchObject({
    complete: false,
    reason: expect.stringContaining('its source'),
  })
  await expect(versionsOfChange(ctx, '018f0000-0000-7000-8000-00000000ffff')).rejects.toMatchObject({ status: 404 })
})

import { beforeEach, expect, test } from 'vitest'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { rowIdOf } from '../ingest/row-id.ts'
import { anItem, aScraper, customSpec, ingestOf, scrape, setSpec } from '../testing.ts'

const db = await testDatabase()
const clock = fakeClock('2026-03-01T10:00:00Z')
const ctx = testContext(db, { clock })

beforeEach(async () => {
  await db.run('delete from config_items')
  await db.run('delete from config_scrapers')
})

const names = async (where = 'deleted_at is null') =>
  (await db.query<{ name: string }>(`select name from config_items where ${where} order by name`)).map(
    ({ name }) => name,
  )

test('a scrape that fails half-way keeps what was there', async () => {
  const stale = { retention: { staleItemAge: '1m' } }
  const both = {
    custom: [{ type: 'Test::Thing', id: '$.id', config: [{ id: 'a' }, { id: 'b' }] }],
    exec: [{ type: 'Test::Thing', id: '$.id', script: `echo '[{"id":"c"},{"id":"d"}]'` }],
    ...stale,
  }
  const scraper = await aScraper(db, both)
  await scrape(ctx, scraper)
  expect(await names()).toEqual(['a', 'b', 'c', 'd'])
  clock.add(3_600_000)
  const broken = await setSpec(db, scraper, {
    ...both,
    custom: [{ type: 'Test::Thing', id: '$.id', config: [{ id: 'a', n: 2 }] }],
    exec: [{ ...both.exec[0], script: 'echo out of paper >&2; exit 3' }],
  })
  const { problems, summary } = await scrape(ctx, broken)
  expect(problems).toEqual([{ item: 'exec[0]', message: 'the script failed: exit code 3: out of paper' }])
  expect(summary.types['Test::Thing']).toMatchObject({ updated: 1 })
  expect(await names()).toEqual(['a', 'b', 'c', 'd'])
})

test('of two items with one id the first is stored, and the job says which', async () => {
  const scraper = await aScraper(db, customSpec([{ id: 'a', n: 1 }, { id: 'a', n: 2 }, { id: 'b' }]))
  const { problems } = await scrape(ctx, scraper)
  expect(problems).toEqual([{ item: 'a', message: 'two items have the id a; the first was stored', partial: false }])
  expect(await db.query('select config from config_items order by name')).toEqual([
    { config: { id: 'a', n: 1 } },
    { config: { id: 'b' } },
  ])
})

test('an id that changes its type is said; the item stays one when its id is unique in the world', async () => {
  const id = '0190a3a0-0000-7000-8000-0000000000aa'
  const scraper = await aScraper(db, customSpec([{ id }]))
  await scrape(ctx, scraper)
  const { problems } = await scrape(ctx, await setSpec(db, scraper, customSpec([{ id }], { type: 'Test::Other' })))
  expect(problems).toEqual([{ item: id, message: 'the type changed from Test::Thing to Test::Other', partial: false }])
  expect(await db.query('select id, type from config_items')).toEqual([{ id, type: 'Test::Other' }])
})

test('the same id in two types is two items', async () => {
  const scraper = await aScraper(db, {
    custom: [
      { type: 'Test::A', id: '$.id', config: { id: 1 } },
      { type: 'Test::B', id: '$.id', config: { id: 1 } },
    ],
  })
  expect((await scrape(ctx, scraper)).problems).toEqual([])
  expect(await db.query('select type from config_items order by type')).toEqual([
    { type: 'Test::A' },
    { type: 'Test::B' },
  ])
})

test('a document of 20 MB is refused by name; the rest is stored', async () => {
  const ingest = await ingestOf(ctx, null)
  const big = 'x'.repeat(20 * 1024 * 1024)
  expect(() => anItem('big', { big })).toThrow('the document has 20.0 MB, more than the 10.0 MB that are stored')
  await ingest.add(anItem('five', { text: 'y'.repeat(5 * 1024 * 1024) }))
  await ingest.finish({ complete: true })
  expect(await names()).toEqual(['five'])
  const scraper = await aScraper(db, {
    exec: [
      {
        type: 'Test::Thing',
        id: '$.id',
        script: `printf '[{"id":"small"},{"id":"huge","text":"'; head -c 20971520 /dev/zero | tr '\\0' x; printf '"}]'`,
      },
    ],
  })
  const { problems } = await scrape(ctx, scraper)
  expect(problems).toEqual([{ item: 'huge', message: expect.stringContaining('20.0 MB') }])
  expect(await names()).toEqual(['five', 'small'])
})

test('invalid UTF-8, NUL and half characters do not stop a scrape', async () => {
  const scraper = await aScraper(db, {
    exec: [
      {
        type: 'Test::Thing',
        id: '$.id',
        script: `printf '[{"id":"bad","text":"a\\xff\\\\u0000b\\\\ud800"},{"id":"good"}]'`,
      },
    ],
  })
  const { problems } = await scrape(ctx, scraper)
  expect(problems).toEqual([])
  expect(await db.query(`select config ->> 'text' as text from config_items order by name`)).toEqual([
    { text: 'a\uFFFDb\uFFFD' },
    { text: null },
  ])
})

test('parents that lead in a circle are cut where they close it, and it is said', async () => {
  const ingest = await ingestOf(ctx, null)
  const parent = (externalId: string) => ({ parents: [{ externalId, type: 'Test::Thing' }] })
  await ingest.add(anItem('a', {}, parent('c')))
  await ingest.add(anItem('b', {}, parent('a')))
  await ingest.add(anItem('c', {}, parent('b')))
  await ingest.add(anItem('d', {}, parent('c')))
  await ingest.add(anItem('self', {}, parent('self')))
  await ingest.finish({ complete: true })
  expect(ingest.problems.map(({ item, message, partial }) => [item, message, partial])).toEqual([
    ['c', 'its parents lead back to itself; the loop was cut here', false],
    ['self', 'its parents lead back to itself; the loop was cut here', false],
  ])
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => rowIdOf('Test::Thing', id)) as [string, string, string, string]
  expect(await db.query('select name, parent_id, path from config_items order by name')).toEqual([
    { name: 'a', parent_id: c, path: c },
    { name: 'b', parent_id: a, path: `${c}.${a}` },
    { name: 'c', parent_id: null, path: null },
    { name: 'd', parent_id: c, path: c },
    { name: 'self', parent_id: null, path: null },
  ])
  expect(b).toBeTruthy()
  expect(d).toBeTruthy()
})

test('parents that swap their places are no circle', async () => {
  const parent = (externalId: string) => ({ parents: [{ externalId }] })
  const first = await ingestOf(ctx, null)
  await first.add(anItem('a', {}))
  await first.add(anItem('b', {}, parent('a')))
  await first.finish({ complete: true })
  const second = await ingestOf(ctx, null)
  await second.add(anItem('a', {}, parent('b')))
  await second.add(anItem('b', {}))
  await second.finish({ complete: true })
  // b says nothing of a parent any more, so it keeps a; the circle is cut at a.
  expect(second.problems).toHaveLength(1)
})

test('a million labels: the first thousand are stored, and the job says so', async () => {
  // Numbers as names: making a million of them is quick.
  const labels: Record<string, string> = {}
  for (let n = 0; n < 1_000_000; n++) labels[n] = 'v'
  const remarks: string[] = []
  const { finishItem } = await import('../ingest/catalog-item.ts')
  const item = finishItem({ type: 'Test::Thing', externalIds: ['many'], config: {}, labels }, (text) =>
    remarks.push(text),
  )
  const ingest = await ingestOf(ctx, null)
  await ingest.add(item)
  await ingest.finish({ complete: true })
  expect(remarks).toEqual(['the item has 1000000 labels; the first 1000 by name were stored'])
  const { count } = await db.one<{ count: number }>(
    `select count(*)::int as count from config_items, jsonb_object_keys(labels) where name = 'many'`,
  )
  expect(count).toBe(1000)
}, 60_000)

test('secrets of the run are masked wherever they turn up', async () => {
  const scraper = await aScraper(db, {
    exec: [
      {
        type: 'Test::Thing',
        id: '$.id',
        env: [{ name: 'API_TOKEN', value: 'swordfish-9' }],
        script: `printf '{"id":"a","note":"token is %s","%s":1}' "$API_TOKEN" "$API_TOKEN"`,
      },
      {
        type: 'Test::Thing',
        id: '$.id',
        env: [{ name: 'API_TOKEN', value: 'swordfish-9' }],
        script: 'echo no $API_TOKEN >&2; exit 1',
      },
    ],
  })
  const { problems } = await scrape(ctx, scraper)
  expect(problems[0]!.message).toBe('the script failed: exit code 1: no ***')
  expect(await db.query('select config from config_items')).toEqual([
    { config: { id: 'a', note: 'token is ***', '***': 1 } },
  ])
})

test('a mask that is misspelt stops its source instead of letting the value through', async () => {
  const scraper = await aScraper(
    db,
    customSpec([{ id: 'a', password: 'x' }], {
      transform: { mask: [{ selector: 'config_type ==', jsonpath: '$.password', value: '***' }] },
    }),
  )
  const { problems } = await scrape(ctx, scraper)
  expect(problems[0]!.message).toContain('custom[0]: transform.mask[0].selector')
  expect(await names()).toEqual([])
})

test('a script that throws or never ends loses its own document only', async () => {
  const scraper = await aScraper(db, {
    custom: [
      {
        type: 'Test::Thing',
        id: '$.id',
        items: '$.list',
        config: { list: [{ id: 'a' }, { id: 'b', bad: true }, { id: 'c' }] },
        transform: { javascript: `if (config.bad) { throw new Error('no such luck') } [config]` },
      },
    ],
  })
  const { problems, summary } = await scrape(ctx, scraper)
  expect(problems).toEqual([{ item: 'default/test[1]', message: expect.stringMatching(/^transform: .*no such luck/) }])
  expect(summary.items).toBe(2)
  expect(await names()).toEqual(['a', 'c'])
})

test('documents that are no JSON, have no id or no type are named; the rest is stored', async () => {
  const scraper = await aScraper(db, {
    custom: [
      { type: 'Test::Thing', id: '$.id', config: '{"id": "broken"' },
      { type: 'Test::Thing', id: '$.id', config: [{ id: 'fine' }, { other: 1 }] },
      { id: '$.id', config: { id: 'typeless' } },
      { type: 'Test::Thing', id: '$.id', config: { id: 'x'.repeat(2000) } },
    ],
  })
  const { problems } = await scrape(ctx, scraper)
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('the document is not JSON'),
    'the item has no id',
    'the item has no type',
    'the id is longer than 1000 bytes',
  ])
  expect(await names()).toEqual(['fine'])
})

test('a document nested without end is refused', async () => {
  let deep: unknown = 1
  for (let i = 0; i < 50_000; i++) deep = { deep }
  expect(() => anItem('deep', deep)).toThrow('the document is nested too deeply')
})

test('a source in which everything is wrong is told of in bounded words', async () => {
  const scraper = await aScraper(db, customSpec(Array.from({ length: 3000 }, (_, n) => ({ n }))))
  const { problems, leftOut, isPartial } = await scrape(ctx, scraper)
  expect([problems.length, leftOut, isPartial]).toEqual([2000, 1000, true])
})

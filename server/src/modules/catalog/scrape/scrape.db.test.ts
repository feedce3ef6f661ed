import { beforeEach, describe, expect, test } from 'vitest'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { aScraper, customSpec, scrape, setSpec } from '../testing.ts'

const db = await testDatabase()
const clock = fakeClock('2026-03-01T10:00:00Z')
const ctx = testContext(db, { clock })

beforeEach(async () => {
  await db.run('delete from config_items')
  await db.run('delete from config_change_fingerprints')
  await db.run('delete from config_scrapers')
})

interface Row {
  id: string
  name: string
  type: string
  status: string | null
  health: string | null
  config: Record<string, unknown>
  labels: Record<string, string>
  tags: Record<string, string>
  deleted_at: Date | null
  delete_reason: string | null
  properties: unknown
}
const items = () => db.query<Row>('select * from config_items order by name')
const changes = (where = 'true') =>
  db.query<
    Record<string, never> & { id: string; count: number; summary: string; change_type: string; severity: string | null }
  >(`select * from config_changes where ${where} order by created_at, id`)

describe('a scrape', () => {
  test('stores items with what the rules of the spec read out of their documents', async () => {
    const scraper = await aScraper(
      db,
      customSpec(
        [
          { id: 7, name: 'seven', state: 'up', ok: 'healthy', born: '2020-01-02T03:04:05Z', zone: 'a', secret: 'x' },
          { id: 'eight', zone: 'b' },
        ],
        {
          status: '$.state',
          health: '$.ok',
          createFields: ['$.nothing', '$.born'],
          labels: { team: 'core' },
          tags: [{ name: 'zone', jsonpath: '$.zone' }],
          properties: [{ name: 'where', text: 'zone {{.tags.zone}}', filter: "config.zone == 'a'" }],
          transform: {
            exclude: [{ jsonpath: '$.state' }],
            mask: [{ selector: "config_type == 'Test::Thing'", jsonpath: '$.secret', value: 'md5sum' }],
          },
        },
      ),
    )
    const { problems, summary } = await scrape(ctx, scraper)
    expect(problems).toEqual([])
    expect(summary.types).toEqual({ 'Test::Thing': { added: 2, updated: 0, unchanged: 0 } })
    const [eight, seven] = await items()
    expect(seven).toMatchObject({
      name: 'seven',
      type: 'Test::Thing',
      config_class: 'Test::Thing',
      external_id: ['7'],
      status: 'up',
      health: 'healthy',
      created_at: new Date('2020-01-02T03:04:05Z'),
      labels: { team: 'core', zone: 'a' },
      tags: { zone: 'a' },
      properties: [{ name: 'where', text: 'zone a' }],
      scraper_id: scraper.id,
    })
    expect(seven!.config).toEqual({
      id: 7,
      name: 'seven',
      ok: 'healthy',
      born: '2020-01-02T03:04:05Z',
      zone: 'a',
      secret: '9dd4e461268c8034f5c8564e155c67a6',
    })
    expect(eight).toMatchObject({ name: 'eight', health: 'unknown', status: null, properties: null })
  })

  test('writes nothing of what it finds unchanged but when it saw it', async () => {
    const scraper = await aScraper(db, customSpec([{ id: 'a', n: 1 }]))
    await scrape(ctx, scraper)
    const before = await db.one('select *, xmin::text from config_items')
    clock.add(60_000)
    const { summary } = await scrape(ctx, scraper)
    expect(summary.types['Test::Thing']).toEqual({ added: 0, updated: 0, unchanged: 1 })
    expect(await db.one('select *, xmin::text from config_items')).toEqual(before)
    const { last_scraped_time } = await db.one<{ last_scraped_time: Date }>(
      'select last_scraped_time from config_detail',
    )
    expect(last_scraped_time).toEqual(clock.now())
    expect(await changes()).toEqual([])
  })

  test('records a changed document with diff, patch and summary, and folds its repetition', async () => {
    const scraper = await aScraper(db, customSpec([{ id: 'a', spec: { n: 1, image: 'x' } }]))
    await scrape(ctx, scraper)
    for (const n of [2, 3, 4]) {
      clock.add(60_000)
      await scrape(ctx, await setSpec(db, scraper, customSpec([{ id: 'a', spec: { n, image: 'x' } }])))
    }
    const [only, ...more] = await changes()
    expect(more).toEqual([])
    expect(only).toMatchObject({
      change_type: 'diff',
      severity: null,
      summary: 'spec.n',
      count: 3,
      patches: { spec: { n: 4 } },
      created_at: clock.now(),
      first_observed: new Date(clock.now().getTime() - 120_000),
    })
    expect(String(only!.diff)).toContain('-    "n": 3\n+    "n": 4')
    clock.add(60_000)
    await scrape(ctx, await setSpec(db, scraper, customSpec([{ id: 'a', spec: { n: 4, image: 'y' } }])))
    expect((await changes()).map(({ count, summary }) => ({ count, summary }))).toEqual([
      { count: 3, summary: 'spec.n' },
      { count: 1, summary: 'spec.image' },
    ])
    clock.add(2 * 3_600_000)
    await scrape(ctx, await setSpec(db, scraper, customSpec([{ id: 'a', spec: { n: 9, image: 'y' } }])))
    expect((await changes()).map(({ count }) => count)).toEqual([3, 1, 1])
  })

  test('deletes what a complete scrape has not seen for long enough, and brings it back', async () => {
    const keep = { retention: { staleItemAge: '1h' } }
    const scraper = await aScraper(db, customSpec([{ id: 'a' }, { id: 'b' }], {}, keep))
    await scrape(ctx, scraper)
    const less = await setSpec(db, scraper, customSpec([{ id: 'a' }], {}, keep))
    clock.add(30 * 60_000)
    await scrape(ctx, less)
    expect((await items()).map(({ deleted_at }) => deleted_at)).toEqual([null, null])
    clock.add(31 * 60_000)
    await scrape(ctx, less)
    expect((await items()).map(({ name, delete_reason }) => [name, delete_reason])).toEqual([
      ['a', null],
      ['b', 'STALE'],
    ])
    clock.add(60_000)
    await scrape(ctx, await setSpec(db, scraper, customSpec([{ id: 'a' }, { id: 'b' }], {}, keep)))
    expect((await items()).map(({ deleted_at }) => deleted_at)).toEqual([null, null])
  })

  test('keep switches deletion off', async () => {
    const keep = { retention: { staleItemAge: 'keep' } }
    const scraper = await aScraper(db, customSpec([{ id: 'a' }, { id: 'b' }], {}, keep))
    await scrape(ctx, scraper)
    clock.add(90 * 86_400_000)
    await scrape(ctx, await setSpec(db, scraper, customSpec([{ id: 'a' }], {}, keep)))
    expect((await items()).map(({ deleted_at }) => deleted_at)).toEqual([null, null])
  })

  test('a time of deletion in the document deletes the item', async () => {
    const scraper = await aScraper(
      db,
      customSpec([{ id: 'a', gone: '2026-02-01T00:00:00Z' }], { deleteFields: ['$.gone'] }),
    )
    await scrape(ctx, scraper)
    expect(await items()).toMatchObject([
      { deleted_at: new Date('2026-02-01T00:00:00Z'), delete_reason: 'FROM_DELETE_FIELD' },
    ])
    const again = await scrape(ctx, scraper)
    expect(again.summary.types['Test::Thing']).toMatchObject({ unchanged: 1 })
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { forgetProperties } from '../../../platform/properties.ts'
import { rows } from '../../../testing/rows.ts'
import { anItem, aScraper, ingestOf } from '../testing.ts'
import { rowIdOf } from './row-id.ts'

const db = await testDatabase()
const clock = fakeClock('2026-03-01T10:00:00Z')
const ctx = testContext(db, { clock })
const { aPerson, insert } = rows(db)
const idOf = (name: string) => rowIdOf('Test::Thing', name)
const ref = (externalId: string) => ({ externalId, type: 'Test::Thing' })

beforeEach(async () => {
  await db.run('delete from config_change_aliases')
  await db.run('delete from config_items')
  await db.run('delete from config_change_fingerprints')
})

const changes = () =>
  db.query<Record<string, unknown>>('select * from config_changes order by first_observed, change_type, id')

/** Takes in these items and changes as one scrape would. */
async function take(
  work: (ingest: Awaited<ReturnType<typeof ingestOf>>) => Promise<void> | void,
  scraperId: string | null = null,
  complete = true,
) {
  const ingest = await ingestOf(ctx, scraperId)
  await work(ingest)
  await ingest.finish({ complete, staleMs: 86_400_000 })
  return ingest
}

describe('changes', () => {
  test('a source that lists a change again does not make it count again', async () => {
    const event = {
      item: ref('a'),
      changeType: 'Pulled',
      externalChangeId: 'e1',
      details: { message: 'image a' },
      createdAt: clock.now(),
    }
    for (let scrape = 0; scrape < 3; scrape++)
      await take(async (ingest) => {
        await ingest.add(anItem('a', { n: 1 }))
        ingest.change(event)
        // The same again with another id is a repetition, however often both are listed.
        ingest.change({ ...event, externalChangeId: 'e2' })
      })
    expect(await changes()).toMatchObject([
      { count: 2, external_change_id: 'e1', severity: 'info', config_id: idOf('a') },
    ])
  })

  test('update_existing replaces what was said before', async () => {
    const event = { item: ref('a'), changeType: 'Deployment', externalChangeId: 'run-1', updateExisting: true }
    await take(async (ingest) => {
      await ingest.add(anItem('a', {}))
      ingest.change({ ...event, summary: 'started', details: { state: 'running' } })
    })
    const done = { ...event, summary: 'done', details: { state: 'done' }, createdAt: new Date('2026-01-01T00:00:00Z') }
    expect((await take((ingest) => ingest.change(done))).summary.changes).toBe(1)
    expect(await changes()).toMatchObject([{ count: 1, summary: 'done', details: { state: 'done' } }])
    // Told again without news it is nothing that was stored.
    expect((await take((ingest) => ingest.change(done))).summary.changes).toBe(0)
  })

  test('repetitions fold within the window, which slides, and not beyond it', async () => {
    await take((ingest) => ingest.add(anItem('a', {})))
    const say = (minutes: number, n: number) => {
      clock.add(minutes * 60_000)
      return take((ingest) => ingest.change({ item: ref('a'), changeType: 'BackOff', details: { count: n } }))
    }
    const first = new Date(clock.now())
    await say(0, 1)
    await say(50, 2)
    await say(50, 3)
    expect(await changes()).toMatchObject([
      { count: 3, first_observed: first, created_at: clock.now(), severity: 'high' },
    ])
    await say(61, 4)
    expect((await changes()).map(({ count }) => count)).toEqual([3, 1])
  })

  test('an author who is a known person is that person', async () => {
    const person = await aPerson({ email: 'ann@example.test' })
    await take(async (ingest) => {
      await ingest.add(anItem('a', {}))
      ingest.change({ item: ref('a'), changeType: 'One', createdBy: 'Ann@example.test' })
      ingest.change({ item: ref('a'), changeType: 'Two', createdBy: 'robot' })
    })
    expect(await changes()).toMatchObject([
      { change_type: 'One', created_by: person.id, external_created_by: null },
      { change_type: 'Two', created_by: null, external_created_by: 'robot' },
    ])
  })

  test('changes of nobody are orphaned, ignored ones are counted', async () => {
    const { summary } = await take(async (ingest) => {
      await ingest.add(anItem('a', {}, { ignoreChanges: ['Noise'] }))
      ingest.change({ item: ref('nobody'), changeType: 'Pulled' })
      ingest.change({ item: { externalId: 'who' }, changeType: 'Pulled' })
      ingest.change({ item: ref('a'), changeType: 'Noise' })
      ingest.change({ item: ref('a'), changeType: 'Drop', action: 'ignore' })
    })
    expect(summary.types).toEqual({
      'Test::Thing': {
        added: 1,
        updated: 0,
        unchanged: 0,
        change: { orphaned: { Pulled: 1 }, ignored: { Noise: 1, Drop: 1 } },
      },
      None: { added: 0, updated: 0, unchanged: 0, change: { orphaned: { Pulled: 1 } } },
    })
    expect(await changes()).toEqual([])
  })

  test('rules map and exclude, and a deletion in the source deletes what was not seen', async () => {
    await take((ingest) => ingest.add(anItem('gone', { zone: 'a' })))
    const rules = {
      mapping: [
        {
          filter: `change.change_type == 'Old'`,
          type: 'New',
          severity: 'critical',
          summary: 'was {{.change.summary}}',
        },
        { filter: 'this is no expression(', severity: 'low' },
      ],
      exclude: [`change_type == 'New' && summary.contains('boring')`, `config.zone == 'b' && change_type == 'Any'`],
    }
    const at = new Date(clock.now().getTime() - 1000)
    const { summary } = await take((ingest) => {
      ingest.change({ item: ref('gone'), changeType: 'Old', summary: 'fun' }, rules)
      ingest.change({ item: ref('gone'), changeType: 'Old', summary: 'boring' }, rules)
      ingest.change({ item: ref('gone'), changeType: 'TerminateInstances', createdAt: at }, rules)
    })
    expect(summary.types['Test::Thing']!.change).toEqual({ ignored: { Old: 1 } })
    expect(await changes()).toMatchObject([
      { change_type: 'TerminateInstances' },
      { change_type: 'New', severity: 'critical', summary: 'was fun' },
    ])
    expect(await db.query('select deleted_at, delete_reason from config_items')).toEqual([
      { deleted_at: at, delete_reason: 'FROM_ATTRIBUTE' },
    ])
  })

  test('a deletion that is told of something still there deletes nothing', async () => {
    await take(async (ingest) => {
      await ingest.add(anItem('a', {}))
      ingest.change({ item: ref('a'), changeType: 'Killing' })
    })
    expect(await db.query('select deleted_at from config_items')).toEqual([{ deleted_at: null }])
  })

  test('a property switches diffs off', async () => {
    await insert('properties', { name: 'scraper.diff.disable', value: 'true' })
    forgetProperties(ctx)
    await take((ingest) => ingest.add(anItem('a', { n: 'x' })))
    await take((ingest) => ingest.add(anItem('a', { n: 'y' })))
    expect(await changes()).toEqual([])
    await db.run('delete from properties')
    forgetProperties(ctx)
  })
})

describe('insights', () => {
  const found = { analyzer: 'public-ip', analysisType: 'security', severity: 'high' }
  const findings = () => db.query<Record<string, unknown>>('select * from config_analysis order by analyzer')

  test('are kept by item and analyzer, and resolved when a complete scrape finds them no more', async () => {
    const scraper = await aScraper(db, {})
    await take(async (ingest) => {
      await ingest.add(
        anItem(
          'a',
          {},
          {
            analyses: [
              { ...found, message: 'one' },
              { ...found, message: 'two' },
            ],
          },
        ),
      )
      ingest.analysis({
        ...found,
        item: ref('a'),
        analyzer: 'old',
        message: 'rusty',
        analysisType: 'rust',
        severity: 'awful',
      })
    }, scraper.id)
    const first = clock.now()
    expect(await findings()).toMatchObject([
      { analyzer: 'old', analysis_type: 'other', severity: 'info', status: 'open' },
      {
        analyzer: 'public-ip',
        message: 'one<br><br>two',
        status: 'open',
        first_observed: first,
        last_observed: first,
        scraper_id: scraper.id,
      },
    ])
    clock.add(60_000)
    await take(
      (ingest) => ingest.add(anItem('a', {}, { analyses: [{ ...found, message: 'three' }] })),
      scraper.id,
      false,
    )
    expect(await findings()).toMatchObject([
      { analyzer: 'old', status: 'open' },
      { analyzer: 'public-ip', message: 'three', first_observed: first, last_observed: clock.now() },
    ])
    await db.run(`update config_analysis set status = 'silenced' where analyzer = 'public-ip'`)
    clock.add(60_000)
    await take((ingest) => ingest.add(anItem('a', {}, { analyses: [{ ...found, message: 'three' }] })), scraper.id)
    expect((await findings()).map(({ analyzer, status }) => [analyzer, status])).toEqual([
      ['old', 'resolved'],
      ['public-ip', 'silenced'],
    ])
  })
})

describe('relationships', () => {
  const edges = () =>
    db.query(
      `select a.name as from, b.name as to, r.relation from config_relationships r
         join config_items a on a.id = r.config_id join config_items b on b.id = r.related_id
        where r.deleted_at is null order by 1, 2, 3`,
    )

  test('are found by ids and by selectors, and go when a complete scrape makes them no more', async () => {
    const scraper = await aScraper(db, {})
    const select = (selector: object, more: object = {}) => ({
      selectors: [{ selector, relation: 'uses', parent: false, ...more }],
    })
    const items = [
      anItem('web', {}, { labels: { app: 'shop' }, ...select({ labels: { tier: 'data' }, type: 'Test::Thing' }) }),
      anItem(
        'db',
        {},
        { labels: { tier: 'data' }, tags: { namespace: 'prod' }, ...select({ name: 'disk' }, { relation: '' }) },
      ),
      anItem('disk', {}, { ...select({ external_id: 'rack' }, { parent: true, relation: 'holds' }) }),
      anItem('rack', {}, { relationships: [{ to: ref('web'), relation: 'powers', parent: false }] }),
    ]
    await take(async (ingest) => {
      for (const item of items) await ingest.add(item)
      ingest.relationship({ from: ref('rack'), to: ref('nowhere'), relation: 'x' })
    }, scraper.id)
    expect(await edges()).toEqual([
      { from: 'db', to: 'disk', relation: '' },
      { from: 'rack', to: 'disk', relation: 'holds' },
      { from: 'rack', to: 'web', relation: 'powers' },
      { from: 'web', to: 'db', relation: 'uses' },
    ])
    const fewer = [anItem('web', {}), items[1]!, anItem('disk', {}), anItem('rack', {})]
    await take(
      async (ingest) => {
        for (const item of fewer) await ingest.add(item)
      },
      scraper.id,
      false,
    )
    expect(await edges()).toHaveLength(4)
    await take(async (ingest) => {
      for (const item of fewer) await ingest.add(item)
    }, scraper.id)
    expect(await edges()).toEqual([{ from: 'db', to: 'disk', relation: '' }])
    await take(async (ingest) => {
      for (const item of items) await ingest.add(item)
    }, scraper.id)
    expect(await edges()).toHaveLength(4)
  })

  test('a selector means items of its own scraper, unless it says otherwise', async () => {
    const [one, two] = [await aScraper(db, {}), await aScraper(db, {})]
    await take((ingest) => ingest.add(anItem('theirs', {})), one.id)
    const by = (scope?: string) => ({
      selectors: [{ selector: { name: 'theirs', ...(scope && { scope }) }, relation: scope ?? 'own', parent: false }],
    })
    await take(async (ingest) => {
      await ingest.add(anItem('a', {}, by()))
      await ingest.add(anItem('b', {}, by('all')))
      await ingest.add(anItem('c', {}, by(one.id)))
    }, two.id)
    expect(await edges()).toEqual([
      { from: 'b', to: 'theirs', relation: 'all' },
      { from: 'c', to: 'theirs', relation: one.id },
    ])
  })

  test('parents become hard relations with a path, children are adopted', async () => {
    const scraper = await aScraper(db, {})
    await take(async (ingest) => {
      await ingest.add(anItem('pod', {}, { parents: [{ externalId: 'absent' }, ref('node')] }))
      await ingest.add(anItem('node', {}, { parents: [ref('cluster')] }))
      await ingest.add(anItem('cluster', {}))
      await ingest.add(anItem('app', {}, { children: [ref('pod')] }))
    }, scraper.id)
    expect(await edges()).toEqual([
      { from: 'app', to: 'pod', relation: 'hard' },
      { from: 'cluster', to: 'node', relation: 'hard' },
    ])
    expect(await db.query('select name, path from config_items where path is not null order by name')).toEqual([
      { name: 'node', path: idOf('cluster') },
      { name: 'pod', path: idOf('app') },
    ])
  })
})

describe('identity', () => {
  test('an item that is known by an alias keeps its row', async () => {
    await take((ingest) => ingest.add(anItem('old-id', { n: 1 }, { externalIds: ['old-id', 'alias'] })))
    await take((ingest) => ingest.add(anItem('new-id', { n: 2 }, { externalIds: ['new-id', 'alias'] })))
    expect(await db.query('select id, external_id from config_items')).toEqual([
      { id: idOf('old-id'), external_id: ['new-id', 'alias'] },
    ])
  })

  test('the first scraper keeps an item that two find, until it is deleted', async () => {
    const [one, two] = [await aScraper(db, {}), await aScraper(db, {})]
    await take((ingest) => ingest.add(anItem('shared', { n: 1 })), one.id)
    await take((ingest) => ingest.add(anItem('shared', { n: 2 })), two.id)
    const owner = () => db.one('select scraper_id from config_items')
    expect(await owner()).toEqual({ scraper_id: one.id })
    await db.run('update config_scrapers set deleted_at = now() where id = $1', [one.id])
    await take((ingest) => ingest.add(anItem('shared', { n: 3 })), two.id)
    expect(await owner()).toEqual({ scraper_id: two.id })
  })

  test('two scrapers that find one item in two ways are told of each other, two that read one source are not', async () => {
    const [one, two] = [await aScraper(db, {}, 'racks'), await aScraper(db, {}, 'shelves')]
    const from = (source: string, n: number) => anItem('shared', { n }, { source })
    await take((ingest) => ingest.add(from('/etc/racks.yaml', 1)), one.id)
    const same = await take((ingest) => ingest.add(from('/etc/racks.yaml', 2)), two.id)
    expect(same.problems).toEqual([])
    const { problems, isPartial } = await take((ingest) => ingest.add(from('/etc/shelves.yaml', 3)), two.id)
    expect(problems.map(({ item, message }) => [item, message])).toEqual([
      ['shared', 'the scraper racks finds this item too, with another document; each replaces what the other found'],
    ])
    expect(isPartial).toBe(false)
    await db.run('update config_scrapers set deleted_at = now() where id = $1', [one.id])
    const alone = await take((ingest) => ingest.add(from('/etc/other.yaml', 4)), two.id)
    expect(alone.problems).toEqual([])
  })

  test('an empty document does not replace the stored one', async () => {
    await take((ingest) => ingest.add(anItem('a', { n: 1 })))
    const { problems } = await take((ingest) => ingest.add(anItem('a', {})))
    expect(problems).toEqual([{ item: 'a', message: 'the document is empty; the stored one was kept', partial: false }])
    expect(await db.one('select config from config_items')).toEqual({ config: { n: 1 } })
  })

  test('costs are stored, and stay where a scrape says nothing of them', async () => {
    const costs = { perMinute: 0.5, total1d: 720, total7d: 5040, total30d: 21_600 }
    await take((ingest) => ingest.add(anItem('a', { n: 1 }, { costs })))
    await take((ingest) => ingest.add(anItem('a', { n: 2 })))
    expect(
      await db.one('select cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d from config_items'),
    ).toEqual({
      cost_per_minute: '0.5000',
      cost_total_1d: '720.0000',
      cost_total_7d: '5040.0000',
      cost_total_30d: '21600.0000',
    })
  })

  test('what belongs to no one scraper is never swept', async () => {
    const scraper = await aScraper(db, {})
    await take(async (ingest) => {
      await ingest.add(anItem('region', {}, { isShared: true }))
      await ingest.add(anItem('own', {}))
      await ingest.add(anItem('stays', {}))
    }, scraper.id)
    clock.add(3 * 86_400_000)
    await take((ingest) => ingest.add(anItem('stays', {})), scraper.id)
    expect(await db.query('select name from config_items where deleted_at is null order by name')).toEqual([
      { name: 'region' },
      { name: 'stays' },
    ])
  })

  test('several processes that scrape the same items do not hinder each other', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `c${i}`)
    const work = (round: number) =>
      take(async (ingest) => {
        const shuffled = [...names].sort((a, b) => (a + round > b + round ? 1 : -1))
        if (round % 2) shuffled.reverse()
        for (const name of shuffled) await ingest.add(anItem(name, { name, round }))
      })
    const rounds = await Promise.all([0, 1, 2, 3].map(work))
    expect(rounds.flatMap(({ problems }) => problems)).toEqual([])
    const again = await Promise.all([4, 5, 6].map(work))
    expect(again.flatMap(({ problems }) => problems)).toEqual([])
    const { count } = await db.one<{ count: number }>('select count(*)::int as count from config_items')
    expect(count).toBe(300)
    // Whoever came last, the stored hash is that of the stored document.
    const mismatch = await db.query(
      `select i.name from config_items i join config_item_states s on s.config_id = i.id
        where s.config_hash <> sha256(convert_to('{"name":"' || i.name || '","round":' || (i.config ->> 'round') || '}', 'UTF8'))`,
    )
    expect(mismatch).toEqual([])
  })

  test('what the database refuses is named, and the others of its batch are stored', async () => {
    const bad = anItem('bad', { n: 1 })
    bad.costs = { total30d: 1e30 }
    const { problems } = await take(async (ingest) => {
      for (const item of [
        anItem('one', {}),
        bad,
        anItem('two', {}, { relationships: [{ to: ref('bad'), relation: 'x', parent: false }] }),
      ])
        await ingest.add(item)
      ingest.change({ item: ref('bad'), changeType: 'Lost' })
    })
    expect(problems).toMatchObject([{ item: 'bad', message: expect.stringContaining('could not be stored') }])
    expect(await db.query('select name from config_items order by name')).toEqual([{ name: 'one' }, { name: 'two' }])
  })
})

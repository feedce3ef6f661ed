import { beforeEach, describe, expect, test } from 'vitest'
import { forgetProperties } from '../../../platform/properties.ts'
import { testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { rows } from '../../../testing/rows.ts'
import { deletedConfigItems } from '../../jobs/retention.sql.ts'
import { runJob } from '../../jobs/run-job.ts'
import { changeRetention } from '../retention/retention.jobs.ts'
import { aScraper, customSpec, scrape, setSpec } from '../testing.ts'
import { scheduleOf, scraperJob, syncScrapers } from './scrape.jobs.ts'

const db = await testDatabase()
const ctx = testContext(db)
const { insert, aConfig, anIncident, aHypothesis, anEvidence } = rows(db)
beforeEach(async () => {
  await db.run('delete from evidences')
  await db.run('delete from config_items')
  await db.run('delete from config_scrapers')
  await db.run('delete from properties')
  forgetProperties(ctx)
})

describe('schedules', () => {
  test('the spec says when, within bounds, and properties override', () => {
    const at = (spec: object, properties: Record<string, string> = {}) =>
      scheduleOf({ id: 'x', spec: spec as never }, new Map(Object.entries(properties))).schedule
    expect(at({})).toBe('@every 60m')
    expect(at({ schedule: '@every 30m' })).toBe('@every 30m')
    expect(at({ schedule: '@every 5s' })).toBe('@every 29s')
    expect(at({ schedule: '@never' })).toBe('@never')
    expect(at({ schedule: '*/5 * * * *' })).toBe('*/5 * * * *')
    expect(at({ schedule: 'whenever' })).toBe('@every 60m')
    expect(at({}, { 'scrapers.default.schedule': '@every 2h' })).toBe('@every 2h')
    expect(at({ schedule: '@every 2h' }, { 'scraper.x.schedule': '@daily' })).toBe('@daily')
    expect(at({ schedule: '@every 1m', aws: [{}] }, { 'scraper.aws.schedule.min': '10m' })).toBe('@every 600s')
  })

  test('every live scraper of this server is scheduled, and a wrong one is said', async () => {
    const agent = await insert('agents', { name: 'far' })
    const one = await aScraper(db, { schedule: '@every 5m' }, 'one')
    await aScraper(db, { schedule: 'whenever' }, 'wrong')
    await insert('config_scrapers', { name: 'theirs', spec: {}, source: 'UI', agent_id: agent.id })
    await insert('config_scrapers', { name: 'gone', spec: {}, source: 'UI', deleted_at: new Date() })
    const { count, problems } = await syncScrapers(ctx)
    expect(count).toBe(2)
    expect(problems).toEqual([expect.stringContaining('wrong: schedule "whenever"')])
    const scheduled = await db.query<{ resource_id: string }>(
      `select resource_id, schedule from quarterdeck_jobs.schedules where job = 'Scraper' order by schedule`,
    )
    expect(scheduled).toContainEqual({ resource_id: one.id, schedule: '@every 5m' })
    expect(scheduled).toHaveLength(2)
  })
})

describe('the job', () => {
  test('its history names the scraper, with what it did per type and what went wrong', async () => {
    const scraper = await aScraper(db, customSpec([{ id: 'a' }, { id: 'a' }]))
    await runJob(ctx, scraperJob, { resource: { id: scraper.id } })
    expect(
      await db.query(
        `select name, resource_type, status, success_count, error_count, details from job_histories where resource_id = $1`,
        [scraper.id],
      ),
    ).toEqual([
      {
        name: 'Scraper',
        resource_type: 'config_scraper',
        status: 'WARNING',
        success_count: 1,
        error_count: 1,
        details: {
          errors: ['a: two items have the id a; the first was stored'],
          scrape_summary: { 'Test::Thing': { added: 1, updated: 0, unchanged: 0 } },
        },
      },
    ])
  })

  test('a scraper that was deleted leaves its items deleted, those of an evidence without a scraper', async () => {
    const scraper = await aScraper(db, customSpec([{ id: 'a' }, { id: 'evidence' }]))
    await scrape(ctx, scraper)
    const held = await db.one<{ id: string }>(`select id from config_items where name = 'evidence'`)
    const incident = await anIncident()
    const hypothesis = await aHypothesis({ incident_id: incident.id as string })
    await anEvidence({ hypothesis_id: hypothesis.id as string, config_id: held.id })
    await db.run('update config_scrapers set deleted_at = now()')
    await syncScrapers(ctx)
    expect(
      await db.query('select name, scraper_id, deleted_at is null as live from config_items order by name'),
    ).toEqual([
      { name: 'a', scraper_id: scraper.id, live: false },
      { name: 'evidence', scraper_id: null, live: true },
    ])
  })
})

describe('retention', () => {
  test('what the engine remembers of an item goes with it', async () => {
    const scraper = await aScraper(db, customSpec([{ id: 'a', n: 'x' }]))
    await scrape(ctx, scraper)
    await scrape(ctx, await setSpec(db, scraper, customSpec([{ id: 'a', n: 'y' }])))
    await db.run(`update config_items set deleted_at = now() - interval '8 days'`)
    expect(await db.tx((sql) => deletedConfigItems(sql, 7 * 86_400_000, 100))).toBe(1)
    for (const table of ['config_items', 'config_item_states', 'config_change_undos', 'config_changes'])
      expect(await db.query(`select 1 from ${table}`)).toEqual([])
  })

  test('[SCR-05] the rules of a scraper drop its changes by age and by number, evidence stays', async () => {
    const scraper = await aScraper(db, {
      retention: {
        changes: [
          { name: 'Pulled', count: 2 },
          { name: 'diff', age: '1d' },
        ],
        types: [{ name: 'T', createdAge: '1d' }],
      },
    })
    const other = await aScraper(db, {})
    const mine = await aConfig({ scraper_id: scraper.id })
    const theirs = await aConfig({ scraper_id: other.id })
    const change = (config: { id: unknown }, type: string, hours: number) =>
      insert('config_changes', {
        config_id: config.id,
        change_type: type,
        summary: `${hours}`,
        created_at: new Date(Date.now() - hours * 3_600_000),
      })
    for (const hours of [1, 2, 3, 4]) await change(mine, 'Pulled', hours)
    for (const hours of [1, 30]) await change(mine, 'diff', hours)
    for (const hours of [1, 2, 3]) await change(theirs, 'Pulled', hours)
    const held = await change(mine, 'diff', 60)
    const incident = await anIncident()
    const hypothesis = await aHypothesis({ incident_id: incident.id as string })
    await anEvidence({ hypothesis_id: hypothesis.id as string, config_change_id: held.id })
    const outcome = await runJob(ctx, changeRetention)
    expect(outcome).toMatchObject({ status: 'SUCCESS', successCount: 3 })
    expect(
      await db.query('select change_type, summary from config_changes where config_id = $1 order by 1, summary::int', [
        mine.id,
      ]),
    ).toEqual([
      { change_type: 'Pulled', summary: '1' },
      { change_type: 'Pulled', summary: '2' },
      { change_type: 'diff', summary: '1' },
      { change_type: 'diff', summary: '60' },
    ])
    expect(await db.query('select 1 from config_changes where config_id = $1', [theirs.id])).toHaveLength(3)
  })
})

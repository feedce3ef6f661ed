import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { routeApp } from '../../testing/route-app.ts'
import { catalogRoutes } from './catalog.routes.ts'
import { aScraper, customSpec, scrape, setSpec } from './testing.ts'

const db = await testDatabase()
const ctx = testContext(db)
let app: FastifyInstance
beforeAll(async () => {
  app = await routeApp(ctx, catalogRoutes)
})
afterAll(() => app.close())
beforeEach(async () => {
  await db.run('delete from config_items')
  await db.run('delete from job_history')
})
const post = (url: string, payload: object = {}, roles = 'editor') =>
  app.inject({ method: 'POST', url: `/api${url}`, payload, headers: { 'x-roles': roles } })
const get = (url: string, roles = 'viewer') => app.inject({ url: `/api${url}`, headers: { 'x-roles': roles } })

describe('run now', () => {
  test('scrapes, and answers with the details of the run', async () => {
    const scraper = await aScraper(db, customSpec([{ id: 'a' }, { id: 'b' }, {}]))
    const answer = await post(`/config/run/${scraper.id}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      status: 'WARNING',
      success_count: 2,
      error_count: 1,
      details: {
        errors: ['default/test[2]: the item has no id'],
        scrape_summary: { 'Test::Thing': { added: 2, updated: 0, unchanged: 0 } },
      },
    })
    expect(await db.query('select name, resource_type, resource_id, status from job_history')).toEqual([
      { name: 'Scraper', resource_type: 'config_scraper', resource_id: scraper.id, status: 'WARNING' },
    ])
  })

  test('who may not write scrapers is refused, and what is not there is not found', async () => {
    const scraper = await aScraper(db, customSpec([{ id: 'a' }]))
    for (const role of ['viewer', 'responder', 'commander'])
      expect((await post(`/config/run/${scraper.id}`, {}, role)).statusCode).toBe(403)
    expect((await post('/config/run/018f0000-0000-7000-8000-00000000ffff')).statusCode).toBe(404)
    expect((await post('/config/run/no-uuid')).statusCode).toBe(400)
    await db.run('update config_scrapers set deleted_at = now() where id = $1', [scraper.id])
    expect((await post(`/config/run/${scraper.id}`)).statusCode).toBe(404)
    expect(await db.query('select 1 from config_items')).toEqual([])
  })

  test('one that is running already is waited for instead of being run beside it', async () => {
    const scraper = await aScraper(db, { exec: [{ type: 'T::T', id: 'x', script: 'sleep 1; echo "{}"' }] })
    const answers = await Promise.all([post(`/config/run/${scraper.id}`), post(`/config/run/${scraper.id}`)])
    for (const answer of answers)
      expect(answer.json()).toMatchObject({ status: 'SUCCESS', details: { scrape_summary: { 'T::T': { added: 1 } } } })
    expect(await db.query(`select 1 from job_history where status = 'SUCCESS'`)).toHaveLength(1)
  })
})

describe('try', () => {
  test('says what would be created, changed and deleted, and saves nothing', async () => {
    const scraper = await aScraper(
      db,
      customSpec([{ id: 'same', n: 1 }, { id: 'moved', n: 1 }, { id: 'labels', n: 1 }, { id: 'gone' }]),
    )
    await scrape(ctx, scraper)
    const counts = () =>
      db.one(`select (select count(*) from config_items) items, (select count(*) from config_changes) changes,
        (select count(*) from config_analysis) analyses, (select count(*) from config_item_states) states,
        (select count(*) from job_history) runs, (select max(xmin::text::bigint) from config_items) as newest`)
    const before = await counts()
    const answer = await post('/v1/scrapers/try', {
      id: scraper.id,
      spec: {
        full: true,
        custom: [
          {
            type: 'Test::Thing',
            id: '$.id',
            config: [
              { config: { id: 'same', n: 1 } },
              {
                config: { id: 'moved', n: 2 },
                changes: [
                  { change_type: 'FailedMount', summary: 'no disk', external_change_id: 'e1' },
                  { change_type: 'Drop', action: 'ignore' },
                ],
                analysis: [{ analyzer: 'a', analysis_type: 'cost', severity: 'low', message: 'dear' }],
              },
              { config: { id: 'new', password: 'x' } },
              { config: { noId: true } },
            ],
            transform: { mask: [{ selector: 'true', jsonpath: '$.password', value: '***' }] },
          },
        ],
      },
    })
    expect(answer.statusCode).toBe(200)
    const result = answer.json()
    expect(result).toMatchObject({
      created: [{ external_id: 'new', type: 'Test::Thing', config: { id: 'new', password: '***' } }],
      changed: [{ external_id: 'moved', summary: 'n', diff: expect.stringContaining('-  "n": 1\n+  "n": 2') }],
      deleted: [],
      unchanged: 1,
      changes: [{ change_type: 'FailedMount', severity: 'low', summary: 'no disk', external_id: 'moved' }],
      insights: [
        { analyzer: 'a', analysis_type: 'cost', severity: 'low', message: 'dear', config_type: 'Test::Thing' },
      ],
      errors: [{ item: expect.any(String), message: 'the item has no id' }],
      totals: { created: 1, changed: 1, deleted: 0, changes: 1, insights: 1, errors: 1 },
    })
    // With an error nothing would be deleted; without one the missing ones are.
    const clean = await post('/v1/scrapers/try', { id: scraper.id, spec: customSpec([{ id: 'same', n: 1 }]) })
    expect(clean.json().deleted.map(({ external_id }: { external_id: string }) => external_id)).toEqual([
      'gone',
      'labels',
      'moved',
    ])
    expect(clean.json().stale_after_ms).toBe(24 * 3_600_000)
    const named = async (spec: object) =>
      ((await post('/v1/scrapers/try', { id: scraper.id, spec })).json().deleted as { external_id: string }[]).map(
        ({ external_id }) => external_id,
      )
    // What is kept for ever is never deleted; what the source says is gone goes all the same.
    const keep = { retention: { staleItemAge: 'keep' } }
    expect(await named(customSpec([{ id: 'same', n: 1 }], {}, keep))).toEqual([])
    const dead = { id: 'gone', ended: '2026-01-01T00:00:00Z' }
    expect(await named(customSpec([{ id: 'same', n: 1 }, dead], { deleteFields: ['$.ended'] }, keep))).toEqual(['gone'])
    const told = {
      config: { id: 'same', n: 1 },
      changes: [{ change_type: 'DeleteThing', external_id: 'moved', config_type: 'Test::Thing' }],
    }
    expect(await named(customSpec([told], {}, { ...keep, full: true }))).toEqual(['moved'])
    expect(await counts()).toEqual(before)
  })

  test('is bounded: many items give totals and a part of the list', async () => {
    const many = Array.from({ length: 1500 }, (_, i) => ({ id: `i${i}`, text: 'x'.repeat(2000) }))
    const answer = await post('/v1/scrapers/try', { spec: customSpec(many) })
    expect(answer.json()).toMatchObject({ totals: { created: 1500 }, unchanged: 0 })
    expect(answer.json().created).toHaveLength(100)
    expect(answer.body.length).toBeLessThan(2_000_000)
  })

  test('secrets appear neither in the answer nor in its log', async () => {
    const secret = 'swordfish-77'
    const answer = await post('/v1/scrapers/try', {
      spec: {
        exec: [
          {
            type: 'T::T',
            id: 'x',
            env: [{ name: 'MY_TOKEN', value: secret }],
            script: 'echo "hello $MY_TOKEN" >&2; echo "{\\"t\\": \\"$MY_TOKEN\\"}"',
          },
        ],
      },
    })
    expect(answer.json().logs.join()).toContain('hello ***')
    expect(answer.body).not.toContain(secret)
  })

  test('what cannot be run is a clear 400, and only writers may try', async () => {
    const wrong = await post('/v1/scrapers/try', { spec: { sql: [{ query: '' }] } })
    expect(wrong.statusCode).toBe(400)
    expect(wrong.json().message).toContain('sql[0].query')
    expect((await post('/v1/scrapers/try', { spec: {} })).json().message).toContain('names nothing to scrape')
    expect((await post('/v1/scrapers/try', { spec: { gcp: [{}] } })).json().message).toContain('not run by this server')
    expect((await post('/v1/scrapers/try', {})).statusCode).toBe(400)
    expect((await post('/v1/scrapers/try', { spec: customSpec([]) }, 'viewer')).statusCode).toBe(403)
    expect((await post('/v1/scrapers/try', { id: '018f0000-0000-7000-8000-00000000ffff', spec: {} })).statusCode).toBe(
      404,
    )
  })
})

describe('versions', () => {
  test('everybody who reads the catalog sees an item before and after a change', async () => {
    const scraper = await aScraper(db, customSpec([{ id: 'a', n: 'one' }]))
    await scrape(ctx, scraper)
    await scrape(ctx, await setSpec(db, scraper, customSpec([{ id: 'a', n: 'two' }])))
    const { id } = await db.one<{ id: string }>('select id from config_changes')
    const answer = await get(`/v1/catalog/changes/${id}/versions`)
    expect(answer.json()).toEqual({
      before: { id: 'a', n: 'one' },
      after: { id: 'a', n: 'two' },
      complete: true,
    })
    expect((await get('/v1/catalog/changes/018f0000-0000-7000-8000-00000000ffff/versions')).statusCode).toBe(404)
    expect((await get('/v1/catalog/changes/x/versions')).statusCode).toBe(400)
  })
})

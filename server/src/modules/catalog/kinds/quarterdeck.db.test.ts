import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectFolder } from '../../../platform/paths.ts'
import { testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { aScraper, scrape } from '../testing.ts'

const db = await testDatabase()
const ctx = testContext(db)

test('the scraper of the first start finds this host and the database, and how they belong together', async () => {
  const file = join(projectFolder, 'resources/first-start/scraper-quarterdeck.yaml')
  const { spec } = parse(readFileSync(file, 'utf8')) as { spec: object }
  const scraper = await aScraper(db, spec, 'quarterdeck/this-server')
  const first = await scrape(ctx, scraper)
  expect(first.problems).toEqual([])
  expect(Object.keys(first.summary.types).sort()).toEqual(
    expect.arrayContaining([
      'Host::FileSystem',
      'Host::Machine',
      'PostgreSQL::Database',
      'PostgreSQL::Schema',
      'PostgreSQL::Server',
      'PostgreSQL::Table',
      'Quarterdeck::Server',
    ]),
  )
  const path = await db.query<{ name: string }>(
    `select above.name from config_items item, unnest(string_to_array(item.path, '.')) with ordinality as up (id, place)
       join config_items above on above.id::text = up.id
      where item.type = 'PostgreSQL::Table' and item.name = 'config_items' order by up.place`,
  )
  expect(path.map(({ name }) => name)).toEqual([
    hostname(),
    expect.stringMatching(/^PostgreSQL \d+/),
    expect.stringMatching(/^t_/),
    'public',
  ])
  const keys = await db.query(
    `select b.name from config_relationships r join config_items a on a.id = r.config_id join config_items b on b.id = r.related_id
      where a.name = 'config_items' and r.relation = 'ForeignKey' order by 1`,
  )
  expect(keys).toEqual([{ name: 'agents' }, { name: 'config_scrapers' }])
  const { count } = await db.one<{ count: number }>(
    `select count(*)::int as count from config_changes where change_type = 'Migration'`,
  )
  expect(count).toBeGreaterThan(10)
  expect(await db.query(`select analyzer from config_analysis where analyzer = 'scripts-on'`)).toHaveLength(1)

  const again = await scrape(ctx, scraper)
  expect(again.problems).toEqual([])
  expect(await db.query(`select 1 from config_changes where change_type = 'diff'`)).toEqual([])
  expect(Object.values(again.summary.types).reduce((sum, { added }) => sum + added, 0)).toBe(0)
  const after = await db.one<{ count: number }>(
    `select count(*)::int as count from config_changes where change_type = 'Migration'`,
  )
  expect(after.count).toBe(count)
})

test('neither passwords nor keys get into the catalog', async () => {
  const secret = 'pa55-of-the-database'
  const config = {
    ...ctx.config,
    DATABASE_URL: `postgres://me:${secret}@127.0.0.1:5/x`,
    SMTP_URL: `smtp://u:${secret}@mail`,
  }
  const scraper = await aScraper(db, { quarterdeck: [{}] })
  await scrape({ ...ctx, config }, scraper)
  const { text } = await db.one<{ text: string }>(`select string_agg(i::text, ' ') as text from config_items i`)
  expect(text).not.toContain(secret)
})

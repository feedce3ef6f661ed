import type { Page } from 'playwright-core'
import { type Area, type Bench, busyWhile, elementsOf, type Figure, heapOf, median, timeToSee } from './area.ts'

const countOf = ({ smoke }: Bench) => (smoke ? 500 : 10_000)
const table = 'table[aria-label="Health checks"]'
const row = `${table} tr[aria-rowindex="4"]`

/** Checks as a large installation has them: five to a canary, a tenth of them failing, an hour of runs behind them. */
async function seed(bench: Bench): Promise<void> {
  const { db } = bench
  const count = countOf(bench)
  await db.run(
    `insert into canaries (name, namespace, source, labels, spec)
     select 'service-' || n, 'team-' || n % 40, 'UI',
            jsonb_build_object('app', 'service-' || n, 'team', 'team-' || n % 40, 'critical', (n % 2 = 0)::text),
            '{}' from generate_series(1, $1::int) n`,
    [count / 5],
  )
  await db.run(
    `insert into checks (canary_id, type, name, namespace, description, icon, labels, spec, status, severity, last_runtime, next_runtime, last_transition_time, created_at, updated_at)
     select k.id, (array['http', 'tcp', 'dns', 'postgres', 'exec'])[n], k.name || '/' || (array['front page', 'port', 'name', 'orders', 'backup'])[n],
            k.namespace, 'Watches part ' || n || ' of ' || k.name, (array['http', 'tcp', 'dns', 'postgres', 'shell'])[n],
            jsonb_build_object('env', (array['prod', 'stage', 'test'])[1 + n % 3], 'region', 'eu-' || n % 4),
            jsonb_build_object('url', 'https://' || k.name || '.example.com/part/' || n),
            case when (hashtext(k.id::text || n) % 10) = 0 then 'unhealthy' else 'healthy' end,
            case n when 1 then 'critical' when 2 then 'high' else null end,
            now() - n * interval '7 s', now() + n * interval '9 s', now() - n * interval '3 h', now(), now()
       from canaries k, generate_series(1, 5) n where k.name like 'service-%'`,
  )
  await db.run(
    `insert into check_statuses (check_id, time, status, duration)
     select id, date_trunc('second', now()) - run * interval '5 minutes', status = 'healthy', 20 + abs(hashtext(id::text || run)) % 300
       from checks, generate_series(1, 3) run where canary_id in (select id from canaries where name like 'service-%')`,
  )
  await db.query('analyze')
}

/** Main-thread work of each keystroke in the search, until its rows are there. */
async function keystrokes(page: Page, cdp: Parameters<typeof busyWhile>[0]): Promise<number[]> {
  const search = page.getByPlaceholder('Search checks')
  await search.click()
  const took: number[] = []
  for (const key of ['s', 'e', 'r', 'v', 'i', 'Backspace', 'Backspace']) {
    took.push(
      await busyWhile(cdp, async () => {
        await page.keyboard.press(key)
        const wanted = await search.inputValue()
        while ((new URL(page.url()).searchParams.get('query') ?? '') !== wanted) await page.waitForTimeout(20)
        // Rows follow the address in a deferred render; two frames later they are painted.
        await page.waitForTimeout(250)
      }),
    )
  }
  return took
}

async function measure(bench: Bench): Promise<Figure[]> {
  const all = '/health?hidePassing=false&groupBy=no-group'
  const figures: Figure[] = []
  const add = (what: string, value: number, unit: Figure['unit'], most: number) =>
    void figures.push({ what, value, unit, most })

  add('rows visible, failing ones in groups', await timeToSee(bench, '/health', row), 'ms', 1500)
  add('rows visible, all in one list', await timeToSee(bench, all, row), 'ms', 1500)
  add('summary over the wire, compressed', (await bench.wireBytes('/api/canary/api/summary')) / 1e3, 'kB', 1000)

  const { page, cdp, close } = await bench.freshPage()
  await page.goto(bench.url + all)
  await page.locator(row).first().waitFor()
  await page.waitForTimeout(1500)
  add('DOM, all in one list', await elementsOf(page), 'elements', 3000)
  add('filter keystroke, main thread', median(await keystrokes(page, cdp)), 'ms', 100)
  add('heap after searching', await heapOf(cdp), 'MB', 150)
  for (const [what, path] of [
    ['all groups', '/health?hidePassing=false'],
    ['cards', '/health?hidePassing=false&layout=card'],
    ['pivot by label', '/health?hidePassing=false&groupBy=type&pivotBy=label&pivotLabel=region'],
  ] as const) {
    await page.goto(bench.url + path)
    await page
      .getByText(/service-\d+|http/)
      .first()
      .waitFor()
    await page.waitForTimeout(1000)
    add(`DOM, ${what}`, await elementsOf(page), 'elements', 3000)
    add(`heap, ${what}`, await heapOf(cdp), 'MB', 150)
  }
  await close()
  return figures
}

export const health: Area = { name: 'health', seed, measure }

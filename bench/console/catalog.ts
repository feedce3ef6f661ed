import type { Page } from 'playwright-core'
import { seedCatalog } from '../catalog/seed.ts'
import { type Area, type Bench, busyWhile, elementsOf, type Figure, heapOf, timeToSee } from './area.ts'

const list = '[data-table="catalog"]'
const row = `${list} tr[aria-rowindex="4"]`
const everything = '/catalog?search=-'
const large = '018f0000-0000-7000-9000-000000000005'

/** A catalog of 100,000 items, and one item whose document has five megabytes. */
async function seed({ db, smoke }: Bench): Promise<void> {
  const size = smoke
    ? { items: 2_000, changes: 2_000, relationships: 100, insights: 500 }
    : { items: 100_000, changes: 20_000, relationships: 100, insights: 5_000 }
  await seedCatalog(db, size, () => {})
  const items = Array.from({ length: 22_000 }, (_, n) => ({
    id: `item-${n}`,
    image: `registry.example.test/team/image:${n}`,
    args: ['--flag', `--n=${n}`],
    text: 'line one\nline two with some words in it\nline three of the text that is kept as a block\n',
  }))
  await db.run(
    `insert into config_items (id, config_class, type, name, config) values ($1, 'List', 'Bench::List', 'large', $2)`,
    [large, JSON.stringify({ kind: 'List', items })],
  )
}

/** What is used of the browser's own names; its types are not those of a program. */
interface Box {
  scrollTop: number
  scrollHeight: number
  clientHeight: number
  scrollBy(x: number, y: number): void
  scrollTo(x: number, y: number): void
  getBoundingClientRect(): { top: number; bottom: number }
  querySelectorAll(selector: string): Iterable<Box>
}

/** Scrolls through so many screens, a third of one per frame; how many frames showed a row without content. */
async function scroll(page: Page, screens: number): Promise<number> {
  return page.locator(list).evaluate(async (node, count) => {
    const box = node as unknown as Box
    const inPage = globalThis as unknown as { requestAnimationFrame(done: () => void): void }
    let empty = 0
    for (let step = 0; step < count * 3; step++) {
      box.scrollBy(0, box.clientHeight / 3)
      await new Promise<void>((resolve) => inPage.requestAnimationFrame(resolve))
      await new Promise<void>((resolve) => inPage.requestAnimationFrame(resolve))
      const frame = box.getBoundingClientRect()
      const isEmpty = [...box.querySelectorAll('tr[data-skeleton], tr[aria-hidden]')].some((each) => {
        const { top, bottom } = each.getBoundingClientRect()
        return bottom > frame.top + 40 && top < frame.bottom && bottom > top
      })
      if (isEmpty) empty++
    }
    return empty
  }, screens)
}

async function measure(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  const add = (what: string, value: number, unit: Figure['unit'], most: number) =>
    void figures.push({ what, value, unit, most })
  add(
    'rows visible, summary',
    await timeToSee(bench, '/catalog', '[data-table="catalog-summary"] tr[aria-rowindex="4"]'),
    'ms',
    1500,
  )
  add('rows visible, all items in one list', await timeToSee(bench, everything, row), 'ms', 1500)
  add('rows visible, items of one type', await timeToSee(bench, '/catalog?configType=Kubernetes::Pod', row), 'ms', 1500)
  add('document of 5 MB visible', await timeToSee(bench, `/catalog/${large}`, '.cm-line', 3), 'ms', 4000)

  const { page, cdp, close } = await bench.freshPage()
  await page.goto(bench.url + everything)
  await page.locator(row).waitFor()
  await page.waitForTimeout(1500)
  add('DOM, all items in one list', await elementsOf(page), 'elements', 3500)
  const screens = 60
  let empty = 0
  const busy = await busyWhile(cdp, async () => {
    empty = await scroll(page, screens)
  })
  add('frames with a row without content', empty, 'elements', 0)
  add('scrolling a screen further, main thread', busy / screens, 'ms', 100)
  add('heap after scrolling', await heapOf(cdp), 'MB', 150)

  await page.goto(`${bench.url}/catalog/${large}`)
  await page.locator('.cm-line').first().waitFor()
  await page.waitForTimeout(3000)
  add(
    'a page further in the document, main thread',
    await busyWhile(cdp, async () => {
      await page.locator('.cm-scroller').evaluate((node) => (node as unknown as Box).scrollBy(0, 800))
      await page.waitForTimeout(300)
    }),
    'ms',
    200,
  )
  add('heap, document of 5 MB', await heapOf(cdp), 'MB', 150)
  await close()
  return figures
}

export const catalog: Area = { name: 'catalog', seed, measure }

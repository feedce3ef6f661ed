import pg from 'pg'
import type { Db } from '../server/src/platform/db/db.ts'
import type { ApiCase } from './api/cases.ts'
import { historyRows, seedHistory, settingsCases } from './settings/cases.ts'
import { conclude, say, withDatabase, withServer } from './support/database.ts'

/**
 * npm run bench:settings: the job history of the console over a million runs, with each of its filters, one request after
 * the other as one person asks. The console shows the rows as soon as they are there and the exact total when it follows:
 *   rows      what the list waits for; aim: 95 of 100 answers within 100 ms
 *   total     the same with Prefer: count=exact
 *   driver    the statement of `total` through the plain driver, in this process
 */
const requests = Number(process.argv[2] ?? 40)
const aimMs = 100

interface Figures {
  p50: number
  p95: number
}

async function measure(name: string, one: ApiCase, address: string, url: string): Promise<boolean> {
  const ask = (headers: Record<string, string>) => async () => {
    const answer = await fetch(`${address}/api/db${one.path}`, { headers })
    await answer.text()
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
  }
  const { text, values } = (await (await fetch(`${address}/statement/${name}`)).json()) as {
    text: string
    values: unknown[]
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const figures = [
    await repeat(ask({})),
    ...(one.prefer ? [await repeat(ask({ prefer: one.prefer }))] : []),
    await repeat(() => client.query({ name: 'one', text, values })),
  ]
  await client.end()
  return report(one.title, figures)
}

/** The figures of all jobs, which the console shows on a page of their own. */
async function statistics(address: string): Promise<boolean> {
  const api = await repeat(async () => {
    const answer = await fetch(`${address}/statistics`)
    await answer.text()
    if (!answer.ok) throw new Error(`statistics: ${answer.status}`)
  })
  return report('figures of every job', [api])
}

async function repeat(call: () => Promise<unknown>): Promise<Figures> {
  const times: number[] = []
  // The first few warm caches and plans up.
  for (let n = -5; n < requests; n++) {
    const start = performance.now()
    await call()
    if (n >= 0) times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { p50: at(0.5), p95: at(0.95) }
}

function report(title: string, all: Figures[]): boolean {
  const figures = all.map(({ p50, p95 }) => `${p50.toFixed(1).padStart(7)} ${p95.toFixed(1).padStart(7)}`)
  const isMet = all[0]!.p95 <= aimMs
  say(`${title.padEnd(54)} ${figures.join(' ')}${isMet ? '' : `   rows over ${aimMs} ms`}`)
  return isMet
}

const seed = (db: Db) => {
  say(`seeding ${historyRows.toLocaleString('en')} runs …`)
  return seedHistory(db)
}
// The settings of the product itself, so that the figures are what people get.
await withDatabase({ seed }, (url) =>
  withServer(new URL('./settings/server.ts', import.meta.url), url, async (address) => {
    say(`\n${'p50 and p95 in ms'.padEnd(54)}    rows            total           driver`)
    const aims: boolean[] = []
    for (const [name, one] of Object.entries(settingsCases)) aims.push(await measure(name, one, address, url))
    aims.push(await statistics(address))
    conclude(aims)
  }),
)

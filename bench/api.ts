import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'
import { openDb } from '../server/src/platform/db/db.ts'
import { startEmbedded } from '../server/src/platform/db/embedded.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { type ApiCase, apiCases, seedApi } from './api/cases.ts'

/**
 * npm run bench:api: the data API over HTTP beside the same SQL through the plain driver, on one database of 100,000
 * catalog items in one run. Each case runs three ways:
 *   data API      GET on loopback, request → plan → query → response
 *   driver, HTTP  a bare route that hands the same SQL text and values to pg and sends what comes back
 *   driver        the same calls to pg in this process, no HTTP at all
 */
const seconds = Number(process.argv[2] ?? 6)
const connections = 10

interface Figures {
  perSecond: number
  p50: number
  p95: number
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-bench-'))
  chmodSync(folder, 0o755)
  const database = await startEmbedded(folder, {
    settings: ['max_connections=100', 'shared_buffers=256MB', 'synchronous_commit=off'],
  })
  let server: ChildProcess | undefined
  try {
    const db = openDb({ url: database.url })
    say('migrating and seeding 100,000 catalog items …')
    await migrate(db)
    await seedApi(db)
    await db.close()
    server = fork(fileURLToPath(new URL('./api/server.ts', import.meta.url)), [database.url])
    const [address] = (await once(server, 'message')) as [string]
    const aims: boolean[] = []
    for (const [name, one] of Object.entries(apiCases)) aims.push(...(await compare(name, one, address, database.url)))
    say(aims.every(Boolean) ? '\nall aims met' : '\nnot all aims met')
    process.exitCode = aims.every(Boolean) ? 0 : 1
  } finally {
    if (server) {
      server.kill()
      await once(server, 'exit')
    }
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(name: string, one: ApiCase, address: string, url: string): Promise<boolean[]> {
  const expected = await bodyOf(`${address}/api/db${one.path}`, one)
  const plain = await bodyOf(`${address}/plain/${name}`, one)
  if (expected !== plain) throw new Error(`${name}: the two ways do not answer the same`)
  // In turns, so that a busy moment of the machine hits all ways alike.
  const rounds: { api: Figures; plain: Figures; driver: Figures }[] = []
  for (let round = 0; round < 3; round++) {
    rounds.push({
      api: await load(`${address}/api/db${one.path}`, one),
      plain: await load(`${address}/plain/${name}`, one),
      driver: await driverAlone(address, name, url),
    })
  }
  const api = best(rounds.map((r) => r.api))
  const http = best(rounds.map((r) => r.plain))
  const driver = best(rounds.map((r) => r.driver))
  const ratio = http.perSecond / api.perSecond
  say(
    `\n${one.title}\n  GET /api/db${one.path.replace(/select=[^&]*/, 'select=…')}${one.prefer ? `  Prefer: ${one.prefer}` : ''}`,
  )
  say('                 requests/s     p50 ms     p95 ms    time per request')
  say(line('data API', api, 1))
  say(line('driver, HTTP', http, api.perSecond / http.perSecond))
  say(line('driver', driver, api.perSecond / driver.perSecond))
  say(`  ${ratio.toFixed(2)} × the driver's time behind the same HTTP (aim: at most 1.30)`)
  const aims = [ratio <= 1.3]
  if (one.atLeast) {
    say(`  ${Math.round(api.perSecond)} requests/s (aim: at least ${one.atLeast})`)
    aims.push(api.perSecond >= one.atLeast)
  }
  return aims
}

function line(name: string, { perSecond, p50, p95 }: Figures, relative: number): string {
  return `  ${name.padEnd(14)} ${perSecond.toFixed(0).padStart(10)} ${p50.toFixed(2).padStart(10)} ${p95.toFixed(2).padStart(10)}    ${relative.toFixed(2).padStart(6)}`
}

const best = (all: Figures[]) => all.reduce((a, b) => (b.perSecond > a.perSecond ? b : a))

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

function say(text: string) {
  process.stdout.write(`${text}\n`)
}

await main()

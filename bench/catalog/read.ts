import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openDb } from '../../server/src/platform/db/db.ts'
import { type CatalogSize, fullSize, itemId, seedCatalog, smokeSize } from './seed.ts'

/**
 * Reading the catalog with eight people at once: each case through HTTP, and the same statements through the plain
 * driver beside it. Readers take turns through the variants of a case, so that not all ask the same.
 */
const readers = 8

interface Variant {
  method: 'GET' | 'POST'
  path: string
  body?: object
}

interface ReadCase {
  title: string
  /** Milliseconds that 95 of 100 requests may take. */
  aim: number
  variants: Variant[]
  /** An item changes twice a second meanwhile, so that no answer can be given again. */
  isDisturbed?: boolean
}

const post = (path: string, body: object): Variant => ({ method: 'POST', path, body })
const get = (path: string): Variant => ({ method: 'GET', path })
const listColumns =
  'id,type,config_class,status,health,labels,name,tags,created_at,updated_at,deleted_at,cost_per_minute,cost_total_1d,' +
  'cost_total_7d,cost_total_30d,changes,analysis,agent:agents(id,name)'
const list = (filter: string) =>
  get(`/api/db/configs?select=${listColumns}&${filter}&deleted_at=is.null&order=type.asc,name.asc,id.asc&limit=500`)
const page = (filter: object) =>
  post('/api/catalog/changes', { recursive: 'none', from: 'now-30d', to: 'now', page_size: 200, ...filter })

const summary = post('/api/catalog/summary', {
  groupBy: ['type'],
  deleted: false,
  changes: { since: '30d' },
  analysis: { since: '30d' },
  cost: '30d',
})

function casesFor({ items }: CatalogSize): ReadCase[] {
  const ids = Array.from({ length: 16 }, (_, n) => itemId(1 + ((n * 7919) % items)))
  return [
    {
      title: 'summary by type: items, health, changes and insights of 30 days, cost',
      aim: 150,
      variants: [summary],
    },
    { title: 'the same while items change', aim: 150, variants: [summary], isDisturbed: true },
    {
      title: 'filtered list, the first 500 rows',
      aim: 100,
      variants: [
        list('type=eq.Kubernetes::Pod&health.filter=unhealthy,warning'),
        list('type=eq.Kubernetes::Pod&status.filter=!Running'),
        list('type=eq.AWS::EC2::Instance'),
        list(`or=(labels.cs."${String.raw`{\"app\":\"app-7\"}`}",tags.cs."${String.raw`{\"app\":\"app-7\"}`}")`),
      ].map((variant) => ({ ...variant, path: encodeURI(variant.path) })),
    },
    {
      title: 'changes of 30 days, a page of 200 with its total',
      aim: 150,
      variants: [
        page({}),
        page({ page: 2 }),
        page({ config_type: 'Kubernetes::Pod' }),
        page({ severity: 'high' }),
        page({ type: '!diff' }),
      ],
    },
    {
      title: 'changes above and below one item, depth 5',
      aim: 250,
      variants: ids.map((id) => page({ id, recursive: 'all', depth: 5 })),
    },
    {
      title: 'related_configs_recursive, depth 10',
      aim: 200,
      variants: ids.map((id) =>
        get(
          `/api/db/rpc/related_configs_recursive?config_id=${id}&include_deleted_configs=false&max_depth=10&type_filter=all&incoming_relation=hard&outgoing_relation=hard`,
        ),
      ),
    },
  ]
}

interface Figures {
  perSecond: number
  p50: number
  p95: number
}

/** Runs `work` from every reader until the time is up, each with its own counter. */
async function measure(seconds: number, work: (turn: number) => Promise<void>): Promise<Figures> {
  const times: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  let turn = 0
  const reader = async () => {
    do {
      const begin = performance.now()
      await work(turn++)
      times.push(performance.now() - begin)
    } while (performance.now() < end)
  }
  await Promise.all(Array.from({ length: readers }, reader))
  const took = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / took, p50: at(0.5), p95: at(0.95) }
}

const agent = new Agent({ keepAlive: true, maxSockets: readers })

/** Sends one request and reads the whole answer. */
function ask(address: string, { method, path, body }: Variant): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${address}${path}`,
      { method, agent, headers: body ? { 'content-type': 'application/json' } : {} },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => (text = (text + chunk).slice(0, 500)))
        answer.on('end', () =>
          answer.statusCode === 200 || answer.statusCode === 206
            ? resolve()
            : reject(new Error(`${path}: ${answer.statusCode} ${text}`)),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

/** Changes an item twice a second until stopped. */
function disturb(pool: pg.Pool): () => Promise<void> {
  let isOver = false
  const work = (async () => {
    for (let n = 1; !isOver; n++) {
      await pool.query('update config_items set status = $2 where id = $1', [itemId(1 + (n % 100)), `Changed ${n}`])
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })()
  return () => {
    isOver = true
    return work
  }
}

interface Statement {
  text: string
  values: unknown[]
}

async function statementsOf(address: string, variant: Variant): Promise<Statement[]> {
  const answer = await fetch(`${address}/statements`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(variant),
  })
  return (await answer.json()) as Statement[]
}

export interface ReadOptions {
  /** An empty, migrated database. */
  url: string
  smoke?: boolean
  seconds?: number
  say: (text: string) => void
  /** The database holds the rows already. */
  isSeeded?: boolean
}

/** Seeds, measures, prints; true when every aim is met. */
export async function measureReads({ url, smoke = false, seconds = smoke ? 1 : 10, say, isSeeded }: ReadOptions) {
  const size = smoke ? smokeSize : fullSize
  if (!isSeeded) {
    const db = openDb({ url })
    say(
      `seeding ${size.items} items, ${size.changes} changes, ${size.relationships} relationships, ${size.insights} insights …`,
    )
    await seedCatalog(db, size, say)
    await db.close()
  }
  const server: ChildProcess = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [url])
  const [address] = (await once(server, 'message')) as [string]
  const pool = new pg.Pool({ connectionString: url, max: readers * 2 })
  // The database may be stopped before the last idle connection is closed.
  pool.on('error', () => {})
  try {
    const met: boolean[] = []
    say(`\n${readers} readers at once            requests/s     p50 ms     p95 ms        aim`)
    for (const one of casesFor(size)) met.push(await runCase(one, { address, pool, seconds, say }))
    say(met.every(Boolean) ? '\nall aims of reading met' : '\nnot all aims of reading met')
    return met.every(Boolean)
  } finally {
    await pool.end()
    server.kill()
    agent.destroy()
  }
}

async function runCase(
  one: ReadCase,
  { address, pool, seconds, say }: { address: string; pool: pg.Pool; seconds: number; say: (text: string) => void },
): Promise<boolean> {
  const variant = (turn: number) => one.variants[turn % one.variants.length]!
  // Once each alone: the first answer of a question is not what eight readers see.
  const statements: Statement[][] = []
  for (const each of one.variants) statements.push(await statementsOf(address, each))
  for (const each of one.variants) await ask(address, each)
  await measure(Math.min(2, seconds), (turn) => ask(address, variant(turn)))
  const stop = one.isDisturbed ? disturb(pool) : undefined
  const api = await measure(seconds, (turn) => ask(address, variant(turn)))
  await stop?.()
  const driver = await measure(seconds, async (turn) => {
    await Promise.all(statements[turn % statements.length]!.map(({ text, values }) => pool.query(text, values)))
  })
  say(one.title)
  say(line('through HTTP', api, `${one.aim}`))
  say(line('plain driver', driver, ''))
  return api.p95 <= one.aim
}

function line(name: string, { perSecond, p50, p95 }: Figures, aim: string): string {
  const columns = [perSecond.toFixed(1), p50.toFixed(1), p95.toFixed(1), aim].map((text) => text.padStart(10))
  return `  ${name.padEnd(26)} ${columns.join(' ')}`
}

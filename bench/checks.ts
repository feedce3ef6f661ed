import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDb, type Db } from '../server/src/platform/db/db.ts'
import { freePort } from '../server/src/platform/db/free-port.ts'
import { type Peer, requirePrograms, startBlackbox, startNginx } from './checks/peers.ts'
import { usageOf } from './checks/processes.ts'

/**
 * npm run bench:checks: the product as people start it, with its own database, running HTTP checks against nginx, beside
 * prometheus-blackbox-exporter probing the same nginx at the same rate in the same run.
 *   steady  N checks every 60 s: processor time per check, lag, memory
 *   burst   300 checks a second for a while: do they all run, and how late
 */
const { values: options } = parseArgs({
  options: {
    checks: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '120' },
    burst: { type: 'string', default: '60' },
  },
})
const checks = Number(options.checks)
const seconds = Number(options.seconds)
const burstSeconds = Number(options.burst)
const say = (text: string) => process.stdout.write(`${text}\n`)
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Product {
  pid: number
  db: Db
  stop(): Promise<void>
}

async function startProduct(folder: string): Promise<Product> {
  const port = await freePort()
  const child = spawn(process.execPath, ['scripts/quarterdeck.mjs', 'start'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      QUARTERDECK_DATA_DIR: folder,
      QUARTERDECK_ADMIN_PASSWORD: 'bench-password',
      LOG_LEVEL: 'warn',
      QUARTERDECK_RESOURCES_DIR: join(folder, 'none'),
    },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the product did not start')))
    child.stdout.on('data', (chunk: Buffer) => chunk.toString().includes('ready on') && resolve())
  })
  const { password, port: databasePort } = JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8')) as {
    password: string
    port: number
  }
  const url = `postgres://quarterdeck:${password}@127.0.0.1:${databasePort}/quarterdeck`
  return {
    pid: child.pid!,
    db: openDb({ url, max: 2 }),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

/** One canary per check, as people have them. */
async function seed(db: Db, count: number, schedule: string, url: string): Promise<void> {
  await db.run('update canaries set deleted_at = now() where deleted_at is null')
  await db.run(
    `insert into canaries (name, namespace, source, spec)
     select 'bench-' || $2 || '-' || n, 'bench', 'UI', jsonb_build_object('schedule', $2::text,
            'http', jsonb_build_array(jsonb_build_object('name', 'page ' || n, 'url', $3 || n, 'responseCodes', jsonb_build_array(200))))
       from generate_series(1, $1::int) n`,
    [count, schedule, url],
  )
}

interface Figures {
  runs: number
  failed: number
  lagP50: number
  lagP99: number
  cpuMs: number
  wallMs: number
  rssMb: number
}

async function measure({ pid, db }: Product, forMs: number): Promise<Figures> {
  const { since } = await db.one<{ since: Date }>('select now() as since')
  const before = usageOf(pid)
  const started = performance.now()
  await sleep(forMs)
  const wallMs = performance.now() - started
  const after = usageOf(pid)
  await sleep(1500)
  const figures = await db.one<{ runs: number; failed: number; p50: number; p99: number }>(
    `select count(*)::int as runs, count(*) filter (where not status)::int as failed,
            percentile_disc(0.5) within group (order by lag) as p50, percentile_disc(0.99) within group (order by lag) as p99
       from check_statuses where time >= $1 and time < $1 + $2 * interval '1 millisecond'`,
    [since, forMs],
  )
  return {
    runs: figures.runs,
    failed: figures.failed,
    lagP50: figures.p50,
    lagP99: figures.p99,
    cpuMs: after.cpuMs - before.cpuMs,
    wallMs,
    rssMb: after.rssBytes / 1e6,
  }
}

async function probeByBlackbox(blackbox: Peer, target: string, perSecond: number, forMs: number): Promise<number> {
  const before = usageOf(blackbox.pid)
  let probes = 0
  const pending = new Set<Promise<unknown>>()
  const end = performance.now() + forMs
  while (performance.now() < end) {
    const started = performance.now()
    for (let i = 0; i < Math.ceil(perSecond / 10); i++) {
      const probe = fetch(
        `${blackbox.url}/probe?module=http_2xx&target=${encodeURIComponent(`${target}${probes++}`)}`,
      ).then((answer) => answer.text())
      pending.add(probe)
      void probe.finally(() => pending.delete(probe))
    }
    await sleep(Math.max(0, 100 - (performance.now() - started)))
  }
  await Promise.all(pending)
  return (usageOf(blackbox.pid).cpuMs - before.cpuMs) / probes
}

const line = (name: string, value: string, aim: string, ok: boolean) => {
  say(`  ${name.padEnd(34)} ${value.padStart(12)}   ${aim.padEnd(18)} ${ok ? 'met' : 'NOT MET'}`)
  return ok
}

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-bench-'))
chmodSync(folder, 0o755)
requirePrograms()
const stops: (() => Promise<unknown>)[] = []
const met: boolean[] = []
try {
  const nginx = await startNginx(folder)
  stops.push(() => nginx.stop())
  const blackbox = await startBlackbox(folder)
  stops.push(() => blackbox.stop())
  const product = await startProduct(join(folder, 'data'))
  stops.push(() => product.db.close().then(() => product.stop()))

  say(`${checks} HTTP checks every 60 s, measured for ${seconds} s`)
  await seed(product.db, checks, '@every 60s', nginx.url)
  // Every new check runs once at once; the steady state begins after that and a full interval.
  await sleep(Math.min(75_000, 15_000 + checks * 8))
  const steady = await measure(product, seconds * 1000)
  const perCheck = steady.cpuMs / steady.runs
  const peerMs = await probeByBlackbox(blackbox, nginx.url, checks / 60, Math.min(seconds, 30) * 1000)
  const expected = (checks * seconds) / 60
  met.push(
    line(
      'runs (of those due)',
      `${steady.runs} (${((100 * steady.runs) / expected).toFixed(1)} %)`,
      '≥ 98 %',
      steady.runs >= expected * 0.98,
    ),
    line('failed', String(steady.failed), '0', steady.failed === 0),
    line('CPU ms per check, all in', perCheck.toFixed(2), '≤ 1.5', perCheck <= 1.5),
    line(
      'share of one core',
      `${((100 * steady.cpuMs) / steady.wallMs).toFixed(1)} %`,
      '≤ 33 %',
      steady.cpuMs / steady.wallMs <= 1 / 3,
    ),
    line('schedule lag p50 / p99 ms', `${steady.lagP50} / ${steady.lagP99}`, 'p99 < 1000', steady.lagP99 < 1000),
    line('resident memory MB', steady.rssMb.toFixed(0), '< 300', steady.rssMb < 300),
  )
  say(
    `  blackbox exporter, probing only:   ${peerMs.toFixed(2)} ms CPU per probe; ours is ${(perCheck / peerMs).toFixed(2)} × with schedule, storage and roll-ups`,
  )

  say(`\nburst: 300 checks a second for ${burstSeconds} s`)
  await seed(product.db, 3000, '@every 10s', nginx.url)
  await sleep(30_000)
  const burst = await measure(product, burstSeconds * 1000)
  const due = 300 * burstSeconds
  met.push(
    line(
      'runs (of those due)',
      `${burst.runs} (${((100 * burst.runs) / due).toFixed(1)} %)`,
      '≥ 98 %',
      burst.runs >= due * 0.98,
    ),
    line('schedule lag p50 / p99 ms', `${burst.lagP50} / ${burst.lagP99}`, 'p99 < 1000', burst.lagP99 < 1000),
    line('CPU ms per check, all in', (burst.cpuMs / burst.runs).toFixed(2), '≤ 1.5', burst.cpuMs / burst.runs <= 1.5),
    line('resident memory MB', burst.rssMb.toFixed(0), '< 300', burst.rssMb < 300),
  )
  say(met.every(Boolean) ? '\nall aims met' : '\nnot all aims met')
} finally {
  for (const stop of stops.reverse()) await stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = met.every(Boolean) ? 0 : 1

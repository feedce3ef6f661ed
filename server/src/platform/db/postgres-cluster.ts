import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../errors.ts'
import { writePrivately } from '../private-file.ts'
import { type Binaries, findBinaries } from './postgres-binaries.ts'
import { reaches, serviceUser } from './service-user.ts'

/** What the data folder remembers about its database. */
export interface ClusterState {
  /** Where the cluster lies; usually in the data folder itself. */
  home: string
  password: string
  /** The port of the last start, taken again when free. */
  port?: number
}

export interface Cluster extends ClusterState {
  binaries: Binaries
  data: string
  logs: string
  /** Keeps the port for the next start and for commands that look for the running server. */
  savePort(port: number): void
}

export const databaseUser = 'quarterdeck'
const systemHome = '/var/lib/quarterdeck'
const stateFile = (folder: string) => join(folder, 'postgres.json')

/** The state of a data folder's database, or undefined when it has none yet. */
export function readState(folder: string): ClusterState | undefined {
  try {
    return JSON.parse(readFileSync(stateFile(folder), 'utf8')) as ClusterState
  } catch {
    return undefined
  }
}

/** Finds the cluster of a data folder, or makes it on first use. */
export function openCluster(folder: string, tell: (line: string) => void): Cluster {
  const known = readState(folder)
  const home = known?.home && existsSync(known.home) ? known.home : chooseHome(folder, tell)
  const binaries = findBinaries(home, tell)
  const state: ClusterState = {
    home,
    password: known?.password ?? randomBytes(24).toString('base64url'),
    port: known?.port,
  }
  const save = () => writePrivately(stateFile(folder), JSON.stringify(state))
  const data = join(home, 'postgres')
  const logs = join(home, 'postgres-log')
  prepare(logs)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    save()
    createCluster(binaries, home, data, state.password, tell)
  } else {
    refuseOtherMajor(binaries, data, folder)
    if (!known?.password) resetPassword(binaries, data, state.password)
    save()
  }
  const savePort = (port: number) => {
    state.port = port
    save()
  }
  return { ...state, binaries, data, logs, savePort }
}

/** The data folder, unless the service user cannot get there (a 0700 home directory of root): then the system's place. */
function chooseHome(folder: string, tell: (line: string) => void): string {
  if (reaches(folder)) return folder
  const home = join(systemHome, createHash('sha256').update(folder).update(randomBytes(8)).digest('hex').slice(0, 12))
  try {
    mkdirSync(home, { recursive: true, mode: 0o755 })
    chmodSync(systemHome, 0o755)
    chmodSync(home, 0o755)
    writeFileSync(join(home, 'belongs-to'), `${folder}\n`)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code
    throw new StartupError(
      `The database user "nobody" can reach neither ${folder} nor ${systemHome} (${reason}): ` +
        'set QUARTERDECK_DATA_DIR to a folder it can reach, run as an ordinary user, or set DATABASE_URL.',
    )
  }
  tell(`The database is kept in ${home}: its user "nobody" cannot reach ${folder}.`)
  const left = readdirSync(systemHome).filter((name) => join(systemHome, name) !== home && ownerOf(name) === folder)
  if (left.length > 0)
    tell(
      `Earlier databases of this folder are still in ${systemHome}: ${left.join(', ')}. Remove them when not needed.`,
    )
  return home
}

function ownerOf(name: string): string | undefined {
  const file = join(systemHome, name, 'belongs-to')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

function prepare(path: string): void {
  mkdirSync(path, { recursive: true })
  if (serviceUser.uid !== undefined) chownSync(path, serviceUser.uid, serviceUser.gid!)
  chmodSync(path, 0o700)
}

/** Made aside and moved into place, so that a start cut short leaves nothing half made. */
function createCluster(
  binaries: Binaries,
  home: string,
  data: string,
  password: string,
  tell: (line: string) => void,
): void {
  tell('Creating the database (once) …')
  const scratch = join(home, 'postgres.new')
  const passwordFile = join(home, 'postgres.new.password')
  rmSync(scratch, { recursive: true, force: true })
  prepare(scratch)
  writePrivately(passwordFile, password)
  if (serviceUser.uid !== undefined) chownSync(passwordFile, serviceUser.uid, serviceUser.gid!)
  try {
    // The password is random, so iterating its hash would only slow down every connection.
    const hashing = ['-A', 'scram-sha-256', '--pwfile', passwordFile, '-c', 'scram_iterations=1']
    const locale = ['-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions']
    const made = spawnSync(join(binaries.bin, 'initdb'), ['-D', scratch, '-U', databaseUser, ...hashing, ...locale], {
      ...serviceUser,
      cwd: scratch,
      encoding: 'utf8',
    })
    if (made.status !== 0) {
      const reason = (made.stderr || made.error?.message || '').trim().split('\n').slice(-3).join(' ')
      throw new StartupError(`The embedded database could not be created in ${home}: ${reason}`)
    }
    renameSync(scratch, data)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

function refuseOtherMajor(binaries: Binaries, data: string, folder: string): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (Number(found) === binaries.major) return
  throw new StartupError(
    `The database in ${folder} was made by PostgreSQL ${found}, this Quarterdeck brings PostgreSQL ${binaries.major}: ` +
      'start the Quarterdeck that made it and move the data with backup and restore, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

/** The file with the password was lost; whoever owns the cluster's files may set a new one. */
function resetPassword(binaries: Binaries, data: string, password: string): void {
  const run = spawnSync(join(binaries.bin, 'postgres'), ['--single', '-D', data, 'postgres'], {
    ...serviceUser,
    cwd: data,
    input: `alter role ${databaseUser} password '${password}';\n`,
    encoding: 'utf8',
  })
  if (run.status !== 0)
    throw new StartupError(
      `The password of the embedded database could not be renewed: ${run.stderr.trim().split('\n').pop()}`,
    )
}

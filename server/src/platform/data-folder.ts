import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from './errors.ts'
import { isAlive } from './process-alive.ts'

interface Holder {
  pid: number
  host: string
  /** When the process began, in the system's own count: tells a process number used again from the first one. */
  began: string | null
}

export interface DataFolder {
  path: string
  release(): void
}

export interface LockOptions {
  tell?: (line: string) => void
  /** How long to wait for a holder that is about to stop, in milliseconds. */
  patience?: number
}

const touchEvery = 5000
/** A holder on another machine or in another container cannot be asked; it is taken for dead after this silence. */
const silence = 20_000

/** Makes the data folder when missing; refuses in one line when it cannot be used. */
export function openDataFolder(setting: string): string {
  const path = resolve(setting)
  try {
    mkdirSync(path, { recursive: true, mode: 0o755 })
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOTDIR' || code === 'EEXIST' ? 'is not a folder' : `is not writable (${code})`
    throw new StartupError(
      `Data folder ${path} ${reason}: set QUARTERDECK_DATA_DIR to a folder this user may write to.`,
    )
  }
  return path
}

/** One product per data folder. Waits a moment for a predecessor that is just stopping. */
export async function lockDataFolder(path: string, options: LockOptions = {}): Promise<DataFolder> {
  const { tell = () => {}, patience = 2000 } = options
  const file = join(path, 'lock')
  const until = Date.now() + patience
  let told = false
  for (;;) {
    if (take(file)) break
    const { holder, silentFor } = holderOf(file)
    if (!holder) {
      // Released since we tried, or cut off by a crash of the machine: a lock that says nothing holds nothing.
      if (existsSync(file)) removeStale(file, undefined)
      continue
    }
    const elsewhere = holder.host !== hostname()
    if (elsewhere ? silentFor > silence : !isSameProcess(holder)) {
      removeStale(file, holder)
    } else if (elsewhere && silentFor > touchEvery * 1.5) {
      if (!told)
        tell(`Waiting for the data folder: it was last used by ${holder.host}, ${Math.round(silentFor / 1000)} s ago …`)
      told = true
      await sleep(500)
    } else if (Date.now() > until) {
      const where = elsewhere ? ` on ${holder.host}` : ''
      throw new StartupError(
        `Data folder ${path} is in use by process ${holder.pid}${where}: stop that one first, or set QUARTERDECK_DATA_DIR to another folder.`,
      )
    } else await sleep(100)
  }
  const timer = setInterval(() => touch(file), touchEvery)
  timer.unref()
  return {
    path,
    release() {
      clearInterval(timer)
      if (holderOf(file).holder?.pid === process.pid) rmSync(file, { force: true })
    },
  }
}

/** The process that runs the product on this folder, if one does. */
export function dataFolderHolder(path: string): number | undefined {
  const { holder, silentFor } = holderOf(join(path, 'lock'))
  if (!holder) return undefined
  const alive = holder.host === hostname() ? isSameProcess(holder) : silentFor <= silence
  return alive ? holder.pid : undefined
}

/** A link either appears whole or fails because another one exists; a plain file could be seen half written. */
function take(file: string): boolean {
  const scratch = `${file}.${process.pid}`
  writeFileSync(
    scratch,
    JSON.stringify({ pid: process.pid, host: hostname(), began: beganAt(process.pid) } satisfies Holder),
  )
  try {
    linkSync(scratch, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(scratch, { force: true })
  }
}

function holderOf(file: string): { holder?: Holder; silentFor: number } {
  try {
    return { holder: readHolder(file), silentFor: Date.now() - statSync(file).mtimeMs }
  } catch {
    return { silentFor: 0 }
  }
}

function readHolder(file: string): Holder {
  const found = JSON.parse(readFileSync(file, 'utf8')) as Holder | null
  if (!Number.isInteger(found?.pid) || typeof found?.host !== 'string') throw new Error('this is no lock')
  return found
}

/** Another start may have replaced the stale lock since we read it: what was moved aside is looked at once more. */
function removeStale(file: string, stale: Holder | undefined): void {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
    const moved = readHolder(aside)
    if (moved.pid !== stale?.pid || moved.began !== stale.began) linkSync(aside, file)
  } catch {
    // It says nothing, or somebody else was quicker; the next round sees the outcome.
  }
  rmSync(aside, { force: true })
}

const isSameProcess = (holder: Holder) => isAlive(holder.pid) && beganAt(holder.pid) === holder.began

function beganAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // The folder was removed under us; the database will say so louder.
  }
}

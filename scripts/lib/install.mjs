// Installs the packages when those on disk are not the ones of package-lock.json.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { oneAtATime } from './one-at-a-time.mjs'
import { Problem, root, say, step } from './say.mjs'

const marker = join(root, 'node_modules/.quarterdeck.json')
/** Written by npm at the end of an installation: a missing one means a broken one. */
const installedRecord = join(root, 'node_modules/.package-lock.json')
const lockFile = join(root, 'package-lock.json')

/** `production` is enough to build and run; `all` adds what the tests need. */
export async function installPackages(scope) {
  if (isInstalled(scope)) return
  await oneAtATime(async () => {
    if (isInstalled(scope)) return
    await step('Installing packages (once)', 'Installed packages', () => install(scope))
    remember(scope)
  })
}

function isInstalled(scope) {
  const hash = lockHash()
  const known = readJson(marker)
  if (known?.lock === hash && (known.scope === 'all' || known.scope === scope)) return true
  // Somebody ran npm by hand: npm's own record says whether the result is what the lock file asks for.
  if (!matchesLock(scope)) return false
  remember(scope)
  return true
}

function matchesLock(scope) {
  const installed = readJson(installedRecord)?.packages
  if (!installed) return false
  const wanted = readJson(lockFile)?.packages ?? {}
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.optional || entry.devOptional || entry.peer) return true
    if (scope === 'production' && entry.dev) return true
    return installed[path]?.version === entry.version
  })
}

function remember(scope) {
  try {
    writeFileSync(marker, JSON.stringify({ lock: lockHash(), scope }))
  } catch {
    // A read-only installation: the check is repeated next time, nothing else.
  }
}

const lockHash = () => createHash('sha256').update(readFileSync(lockFile)).digest('hex')

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** From nothing with npm ci; what is there already is only brought up to date, since a running product may use it. */
function install(scope) {
  const installed = readJson(installedRecord)?.packages
  const hasAll = installed && Object.values(installed).some((entry) => entry.dev)
  const command = installed ? ['install', '--no-save'] : ['ci']
  const [program, ...first] = npm()
  const dev = scope === 'all' || hasAll ? '--include=dev' : '--omit=dev'
  const args = [...first, ...command, dev, '--no-audit', '--no-fund', '--no-progress']
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    const keep = (chunk) => (output = (output + chunk).slice(-6000))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) =>
      reject(new Problem(`npm could not be started (${error.message}): install npm and try again.`)),
    )
    child.on('exit', (code) => {
      if (code === 0) return resolve()
      say(output.trim())
      reject(
        new Problem("The packages could not be installed: see npm's words above, check the network, then try again."),
      )
    })
  })
}

/** The npm that runs us, else the one on the path. */
function npm() {
  const running = process.env.npm_execpath
  if (running && /npm-cli\.c?js$/.test(running) && existsSync(running)) return [process.execPath, running]
  return ['npm']
}

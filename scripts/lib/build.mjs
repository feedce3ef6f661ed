// Builds the console and the server when their sources changed; a hash of the sources is the name or the mark of a build.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { oneAtATime } from './one-at-a-time.mjs'
import { Problem, root, say, step } from './say.mjs'

const shared = [
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build.mjs',
  'contract/src',
  'contract/package.json',
]
const isTest = /\.test\.tsx?$|[\\/]testing[\\/]/

/** Every server file that runs on its own: the program, and each worker thread. */
export function serverEntries() {
  const threads = filesBelow(join(root, 'server/src')).filter((file) => file.endsWith('-worker.ts'))
  const entries = [join(root, 'server/src/main.ts'), ...threads]
  return Object.fromEntries(
    entries.map((file) => [relative(join(root, 'server/src'), file).replace(/\.ts$/, ''), file]),
  )
}

export const serverHash = () => hashOf([...shared, 'server/src', 'server/package.json'])
export const consoleHash = () =>
  hashOf([
    ...shared,
    'web/src',
    'web/public',
    'web/index.html',
    'web/vite.config.ts',
    'web/package.json',
    'web/tsconfig.json',
  ])

export const serverEntry = (hash) => join(root, 'server/dist', hash, 'main.js')
export const consoleMark = join(root, 'web/dist/.hash')

/** Builds the server when its sources changed, and returns the file to run. */
export async function buildServer() {
  const hash = serverHash()
  const isBuilt = () => existsSync(serverEntry(hash))
  await once(isBuilt, () => step('Building the server', 'Built the server', () => build('server', hash)))
  return serverEntry(hash)
}

export async function buildConsole() {
  const hash = consoleHash()
  const isBuilt = () => existsSync(consoleMark) && readFileSync(consoleMark, 'utf8') === hash
  await once(isBuilt, () => step('Building the console', 'Built the console', () => build('console', hash)))
}

async function once(isDone, work) {
  if (isDone()) return
  await oneAtATime(async () => {
    if (!isDone()) await work()
  })
}

/** In a process of its own: the bundler's memory is given back before the product runs. */
function build(what, hash) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'scripts/build.mjs'), what, hash], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk) => (output = (output + chunk).slice(-8000))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) return resolve()
      say(output.trim())
      reject(new Problem(`The ${what} could not be built: see above.`))
    })
  })
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of filesBelow(join(root, path))) {
      if (isTest.test(file)) continue
      hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function filesBelow(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}

// Two starts at once must not both install or build: the second waits and finds it done.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem, root } from './say.mjs'

const busy = join(root, '.busy')

export async function oneAtATime(work) {
  while (!take()) {
    if (isLeftOver()) rmSync(busy, { recursive: true, force: true })
    else await sleep(200)
  }
  try {
    return await work()
  } finally {
    rmSync(busy, { recursive: true, force: true })
  }
}

function take() {
  try {
    mkdirSync(busy)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw new Problem(`${root} is not writable (${error.code}): what is missing there cannot be installed or built.`)
  }
  writeFileSync(join(busy, 'pid'), String(process.pid))
  return true
}

/** Whoever held it is gone, or was killed in the moment between the folder and its file. */
function isLeftOver() {
  try {
    return !isAlive(Number(readFileSync(join(busy, 'pid'), 'utf8')))
  } catch {
    const made = statSync(busy, { throwIfNoEntry: false })
    return made !== undefined && Date.now() - made.mtimeMs > 2000
  }
}

function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

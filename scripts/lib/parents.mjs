// npm passes a kill on to its shell, not to us, and tells nobody when it is killed outright: so we look after our parents.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Calls back once when npm, or the shell between npm and us, is gone. Does nothing when npm did not start us. */
export function watchParents(gone) {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  const parent = process.ppid
  const grandparent = parentOf(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && (grandparent <= 1 || parentOf(parent) === grandparent)) return
    clearInterval(timer)
    gone()
  }, 500)
  timer.unref()
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    if (process.platform === 'linux') return 0
    return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout) || 0
  }
}

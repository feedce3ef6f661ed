import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of /proc/PID/stat are hundredths of a second on every Linux we run on. */
const msPerTick = 10

interface Stat {
  parent: number
  cpuMs: number
  rssBytes: number
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name stands in parentheses and may hold blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {
      parent: Number(fields[1]),
      // With what its ended children used: connections of the database come and go.
      cpuMs: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * msPerTick,
      rssBytes: Number(fields[21]) * 4096,
    }
  } catch {
    return undefined
  }
}

/** Processor time and memory of a process and everything below it. */
export function usageOf(root: number): { cpuMs: number; rssBytes: number } {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = statOf(Number(name))
    if (stat) stats.set(Number(name), stat)
  }
  const total = { cpuMs: 0, rssBytes: stats.get(root)?.rssBytes ?? 0 }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at && at > 1; at = stats.get(at)?.parent) if (at === root) return true
    return false
  }
  for (const [pid, stat] of stats) if (isBelow(pid)) total.cpuMs += stat.cpuMs
  return total
}

import type { Schedule } from '@quarterdeck/contract/schedule'
import { Cron } from 'croner'
import { nextSlot, slotsBetween } from './phase.ts'

/** Reading a schedule costs more than asking it; thousands of canaries share a few. */
const read = new Map<string, Cron>()

function cronOf({ expression, timeZone }: Extract<Schedule, { kind: 'cron' }>): Cron {
  const key = `${timeZone} ${expression}`
  let cron = read.get(key)
  if (!cron) {
    if (read.size >= 1000) read.clear()
    read.set(key, (cron = new Cron(expression, { timezone: timeZone })))
  }
  return cron
}

/** The first run of a canary after a moment; undefined when it never runs by itself. */
export function nextRun(id: string, schedule: Schedule, after: number): number | undefined {
  switch (schedule.kind) {
    case 'never':
      return undefined
    case 'every':
      return nextSlot(id, schedule.milliseconds, after)
    case 'cron':
      return cronOf(schedule).nextRun(new Date(after))?.getTime()
  }
}

/** A schedule that passed more often was away for so long that the number says nothing. */
const mostCounted = 1000

/** Slots in (from, to] that passed while nobody ran this canary. */
export function missedRuns(id: string, schedule: Schedule, from: number, to: number): number {
  if (schedule.kind === 'every') return slotsBetween(id, schedule.milliseconds, from, to)
  if (schedule.kind === 'never') return 0
  const cron = cronOf(schedule)
  let count = 0
  for (let at = cron.nextRun(new Date(from)); at && at.getTime() <= to && count < mostCounted; at = cron.nextRun(at))
    count += 1
  return count
}

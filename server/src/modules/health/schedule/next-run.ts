import type { Schedule } from '@quarterdeck/contract/schedule'
import { Cron } from 'croner'
import { nextSlot, slotsBetween } from './phase.ts'

/** The first run of a canary after a moment; undefined when it never runs by itself. */
export function nextRun(id: string, schedule: Schedule, after: number): number | undefined {
  switch (schedule.kind) {
    case 'never':
      return undefined
    case 'every':
      return nextSlot(id, schedule.milliseconds, after)
    case 'cron':
      return new Cron(schedule.expression, { timezone: schedule.timeZone }).nextRun(new Date(after))?.getTime()
  }
}

/** Slots that passed while nobody ran this canary. */
export function missedRuns(id: string, schedule: Schedule, from: number, to: number): number {
  if (schedule.kind === 'every') return slotsBetween(id, schedule.milliseconds, from, to)
  if (schedule.kind === 'never') return 0
  return new Cron(schedule.expression, { timezone: schedule.timeZone })
    .nextRuns(1000, new Date(from))
    .filter((slot) => slot.getTime() <= to).length
}

import { createHash } from 'node:crypto'
import { nextOfEvery, parseSchedule, type Schedule } from '@quarterdeck/contract/schedule'
import { Cron } from 'croner'

/** The first moment after `after` at which the schedule fires; undefined for @never. `key` places `@every` on its grid. */
export function nextRun(schedule: Schedule, key: string, after: Date): Date | undefined {
  switch (schedule.kind) {
    case 'never':
      return undefined
    case 'every':
      return nextOfEvery(schedule.milliseconds, gridOf(key, schedule.milliseconds), after)
    case 'cron':
      return new Cron(schedule.expression, { timezone: schedule.timeZone, paused: true }).nextRun(after) ?? undefined
  }
}

/**
 * Where the grid of an `@every` schedule lies: the same after every restart and in every process (a job of every 24 h
 * still runs on a server restarted daily), and different per key, so that a thousand schedules of ten minutes do not
 * fire in one second.
 */
function gridOf(key: string, milliseconds: number): Date {
  const share = createHash('sha256').update(key).digest().readUInt32BE(0) / 2 ** 32
  return new Date(Math.floor(share * milliseconds))
}

/** Like `nextRun` on text; a schedule that cannot be read never fires. */
export function nextRunOf(text: string, key: string, after: Date): Date | undefined {
  const parsed = parseSchedule(text)
  return parsed.ok ? nextRun(parsed.schedule, key, after) : undefined
}

const quarterHour = 15 * 60_000

/**
 * When the schedule fires next, with the random delay before each run: up to 9 % of the time to the run after it, which
 * counts as 15 minutes at most.
 */
export function nextRunWithDelay(text: string, key: string, after: Date, random: () => number): Date | undefined {
  const next = nextRunOf(text, key, after)
  const following = next && nextRunOf(text, key, next)
  if (!next || !following) return next
  const distance = Math.min(quarterHour, following.getTime() - next.getTime())
  return new Date(next.getTime() + Math.floor(random() * 0.09 * distance))
}

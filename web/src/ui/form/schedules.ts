import type { Option } from '../option.ts'

const every = (span: string): Option => ({ value: `@every ${span}`, label: span })
const named = (name: string): Option => ({ value: `@${name}`, label: name })

/** Schedules that forms offer; any other schedule can be typed. */
export const schedules = {
  default: [
    every('30s'),
    every('1m'),
    every('15m'),
    every('5m'),
    every('30m'),
    named('hourly'),
    every('2h'),
    every('4h'),
    every('6h'),
    every('8h'),
    named('daily'),
    named('weekly'),
  ],
  short: [every('30s'), every('1m'), every('5m'), every('30m'), named('hourly'), named('daily'), named('weekly')],
  medium: [
    every('30s'),
    every('1m'),
    every('5m'),
    every('15m'),
    every('30m'),
    named('hourly'),
    every('6h'),
    every('12h'),
    named('daily'),
    named('weekly'),
  ],
  /** Generic resources show the schedules as they are written. */
  resource: ['@every 30s', '@every 1m', '@every 5m', '@every 30m', '@hourly', '@every 6h', '@daily', '@weekly'].map(
    (value) => ({ value, label: value }),
  ),
} satisfies Record<string, Option[]>
export type ScheduleList = keyof typeof schedules

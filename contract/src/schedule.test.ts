import { describe, expect, test } from 'vitest'
import { formatDuration, nextOfEvery, parseDuration, parseSchedule, scheduleProblem } from './schedule.ts'

describe('durations', () => {
  test.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['1d12h', 129_600_000],
    ['2w', 1_209_600_000],
    ['1y', 31_536_000_000],
    ['250ms', 250],
    ['10us', 0.01],
    ['10µs', 0.01],
    ['0', 0],
    ['-5m', -300_000],
    ['+5m', 300_000],
    ['.5s', 500],
  ])('%s', (text, expected) => expect(parseDuration(text)).toBeCloseTo(expected, 6))

  test.each(['', '5', '1 h', 'h', '1x', '1h30', '--1s', '1h-30m', '5 minutes', '1e3s', 'NaN', '1m'.repeat(40)])(
    'refuses %j',
    (text) => expect(parseDuration(text)).toBeUndefined(),
  )

  test('prints the shortest spelling', () => {
    expect([0, 5_400_000, 90_000, 1500, 86_400_000, -60_000].map(formatDuration)).toEqual([
      '0s',
      '1h30m',
      '1m30s',
      '1s500ms',
      '24h',
      '-1m',
    ])
  })
})

describe('schedules', () => {
  const cron = (expression: string, timeZone = 'UTC') => ({
    ok: true,
    schedule: { kind: 'cron', expression, timeZone },
  })

  test.each([
    ['@every 45s', { ok: true, schedule: { kind: 'every', milliseconds: 45_000 } }],
    ['  @every 1h30m ', { ok: true, schedule: { kind: 'every', milliseconds: 5_400_000 } }],
    ['@never', { ok: true, schedule: { kind: 'never' } }],
    ['@hourly', cron('0 * * * *')],
    ['@daily', cron('0 0 * * *')],
    ['@weekly', cron('0 0 * * 0')],
    ['@monthly', cron('0 0 1 * *')],
    ['@yearly', cron('0 0 1 1 *')],
    ['15 1 * * *', cron('15 1 * * *')],
    ['*/5 8-18 * * mon-fri', cron('0-59/5 8-18 * * 1-5')],
    ['0 0 ? * SUN,wed', cron('0 0 * * 0,3')],
    ['0 0 1 jan,JUL *', cron('0 0 1 1,7 *')],
    ['10/20 * * * *', cron('10-59/20 * * * *')],
    ['CRON_TZ=Europe/Berlin 0 6 * * *', cron('0 6 * * *', 'Europe/Berlin')],
    ['TZ=America/New_York @daily', cron('0 0 * * *', 'America/New_York')],
    ['0 0 29 2 *', cron('0 0 29 2 *')],
    ['0 0 31 2 1', cron('0 0 31 2 1')],
  ])('reads %s', (text, expected) => expect(parseSchedule(text)).toEqual(expected))

  test.each([
    ['', 'needed'],
    ['@every', 'duration'],
    ['@every 5', 'duration'],
    ['@every5m', 'duration'],
    ['@every 500ms', 'one second'],
    ['@every 20y', 'ten years'],
    ['@every -5m', 'one second'],
    ['@sometimes', 'not known'],
    ['* * * *', 'five fields'],
    ['* * * * * *', 'five fields'],
    ['60 * * * *', 'minute'],
    ['* 24 * * *', 'hour'],
    ['* * 0 * *', 'day of month'],
    ['* * * 13 *', 'month'],
    ['* * * * 8', 'day of week'],
    ['5-1 * * * *', 'minute'],
    ['*/0 * * * *', 'minute'],
    ['*-5 * * * *', 'minute'],
    ['? * * * *', 'minute'],
    ['a * * * *', 'minute'],
    ['1,,2 * * * *', 'minute'],
    ['0 0 31 2,4 *', 'never run'],
    ['CRON_TZ=Mars/Base 0 6 * * *', 'time zone'],
    ['0'.repeat(300), '200 characters'],
  ])('refuses %j and says why', (text, word) => expect(scheduleProblem(text)).toContain(word))

  test('a good schedule has no problem', () => expect(scheduleProblem('@every 5m')).toBeUndefined())
})

describe('@every keeps its grid', () => {
  const at = (text: string) => new Date(`2024-08-29T${text}Z`)

  test('the next one follows the last', () =>
    expect(nextOfEvery(60_000, at('10:00:00'), at('10:00:00'))).toEqual(at('10:01:00')))
  test('a late start does not shift later runs', () =>
    expect(nextOfEvery(60_000, at('10:00:00'), at('10:00:07'))).toEqual(at('10:01:00')))
  test('missed runs collapse into one', () =>
    expect(nextOfEvery(60_000, at('10:00:00'), at('13:30:30'))).toEqual(at('13:31:00')))
  test('an anchor in the future is itself the next', () =>
    expect(nextOfEvery(60_000, at('10:00:40'), at('10:00:00'))).toEqual(at('10:00:40')))
})

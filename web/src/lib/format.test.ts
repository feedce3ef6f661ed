import { describe, expect, test } from 'vitest'
import { ageTick, dateGroup, formatAge, formatDate, isEmptyDate } from './dates.ts'
import {
  formatBytes,
  formatCost,
  formatCount,
  formatCurrency,
  formatMillicores,
  formatMillis,
  formatPercent,
  formatSpan,
  formatUptime,
  plural,
  truncate,
  truncateMiddle,
  usageLevel,
} from './format.ts'
import { summarizeSeverities } from './severity.ts'
import { sortTags } from './tags.ts'

describe('figures', () => {
  test('[FMT-01] uptime is the share of passed runs with two decimals', () => {
    expect(formatUptime({ passed: 2, failed: 1 })).toBe('66.67%')
    expect(formatUptime({ passed: 10, failed: 0 })).toBe('100.00%')
    expect(formatUptime({ passed: 0, failed: 3 })).toBe('0.00%')
    expect(formatUptime({ passed: 999_999, failed: 1 })).toBe('99.99%')
    expect(formatUptime({ passed: 0, failed: 0 })).toBe('–')
  })

  test('[FMT-02] other percentages have one decimal', () => {
    expect([0, 12.34, 99.96, 100].map(formatPercent)).toEqual(['0.0%', '12.3%', '100.0%', '100.0%'])
  })

  test('[FMT-03] above 100 percent the multiple is shown', () => {
    expect([101, 250, 1234].map(formatPercent)).toEqual(['1.0x', '2.5x', '12.3x'])
  })

  test('[FMT-04] measured times choose their unit by size', () => {
    expect([0, 5.5, 999, 1000, 1500, 59_999, 60_000, 3_599_999, 3_600_000, 9_000_000].map(formatMillis)).toEqual([
      '0ms',
      '5.5ms',
      '999ms',
      '1s',
      '1.5s',
      '60s',
      '1m',
      '60m',
      '1h',
      '2.5h',
    ])
  })

  test('[FMT-05] spans are ms below a second, else parts of d, h, m, s', () => {
    expect([999, 1000, 61_000, 93_784_000, 86_400_000].map((ms) => formatSpan(ms))).toEqual([
      '999ms',
      '1s',
      '1m 1s',
      '1d 2h 3m 4s',
      '1d',
    ])
    expect(formatSpan(93_784_000, 2)).toBe('1d 2h')
  })

  test('[FMT-10] bytes go up in steps of 1024 to YB', () => {
    expect([0, 1023, 1024, 1536, 1024 ** 2 * 20, 1024 ** 5].map(formatBytes)).toEqual([
      '0 B',
      '1023 B',
      '1 KB',
      '1.5 KB',
      '20 MB',
      '1 PB',
    ])
    expect(formatBytes(1024 ** 8 * 3)).toBe('3 YB')
    expect(formatBytes(1024 ** 9 * 5)).toBe('5120 YB')
  })

  test('[FMT-11] cut text ends with an ellipsis', () => {
    expect(truncate('operations', 6)).toBe('opera…')
    expect(truncate('short', 5)).toBe('short')
    expect(truncate('🚢🚢🚢', 2)).toBe('🚢…')
    expect(truncateMiddle('payments-service-7d9f8b', 11)).toBe('payme…d9f8b')
    expect(truncateMiddle('short', 11)).toBe('short')
  })

  test('[FMT-16] counts above 999 are thousands, rounded down', () => {
    expect([0, 999, 1000, 1999, 25_400].map(formatCount)).toEqual(['0', '999', '1k+', '1k+', '25k+'])
  })

  test('[FMT-17] costs below ten keep their cents', () => {
    expect([0, 3.2, 9.99, 10, 15.6, 1234.5].map(formatCost)).toEqual([
      '$0.00',
      '$3.20',
      '$9.99',
      '$10',
      '$16',
      '$1,235',
    ])
  })

  test('[FMT-18] currency by size', () => {
    expect([5, 100, 100.5, 999.4, 1000, 1001, 25_430].map(formatCurrency)).toEqual([
      '$5.00',
      '$100.00',
      '$101',
      '$999',
      '$1000',
      '$1.0k',
      '$25.4k',
    ])
  })

  test('[FMT-12] usage is red above 90, orange above 75, else green', () => {
    expect([0, 75, 75.1, 90, 90.1, 130].map(usageLevel)).toEqual(['green', 'green', 'orange', 'orange', 'red', 'red'])
  })

  test('the rest', () => {
    expect([250, 999.6, 1500, 2000].map(formatMillicores)).toEqual(['250m', '1000m', '1.5', '2'])
    expect([plural(1, 'check'), plural(1200, 'check'), plural(2, 'entry', 'entries')]).toEqual([
      '1 check',
      '1,200 checks',
      '2 entries',
    ])
  })
})

describe('dates', () => {
  const now = new Date(2024, 7, 29, 16, 5, 9)
  const ago = (seconds: number) => new Date(+now - seconds * 1000)

  test('[FMT-06] relative times use s, m, h, d, mo, y', () => {
    const age = (seconds: number) => formatAge(ago(seconds), +now)
    expect(
      [0, 59, 60, 3599, 3600, 86_399, 86_400, 29 * 86_400, 30 * 86_400, 364 * 86_400, 365 * 86_400, 900 * 86_400].map(
        age,
      ),
    ).toEqual(['0s', '59s', '1m', '59m', '1h', '23h', '1d', '29d', '1mo', '12mo', '1y', '2y'])
  })

  test('[FMT-07] zero and year-0001 dates are empty', () => {
    for (const empty of [
      '0001-01-01T00:00:00Z',
      '0000-00-00',
      '',
      null,
      undefined,
      0,
      'no date',
      '0001-01-01T00:00:00+02:00',
    ])
      expect([empty, isEmptyDate(empty), formatAge(empty), formatDate(empty)]).toEqual([empty, true, '', ''])
    expect(isEmptyDate('2024-01-01T00:00:00Z')).toBe(false)
  })

  test('[FMT-08] grouping headings', () => {
    const group = (...parts: [number, number, number, number?]) => dateGroup(new Date(...parts), now)
    expect(group(2024, 7, 29, 1)).toBe('Today')
    expect(group(2024, 7, 28)).toBe('This week')
    expect(group(2024, 7, 26)).toBe('This week')
    expect(group(2024, 7, 25)).toBe('This month')
    expect(group(2024, 6, 31)).toBe('This year')
    expect(group(2023, 11, 31)).toBe('Previous year')
    expect(group(2021, 5, 1)).toBe('2021')
  })

  test('[FMT-09] the fixed formats', () => {
    expect(formatDate(now, 'time')).toBe('4:05 PM')
    expect(formatDate(new Date(2024, 7, 9, 0, 7), 'time')).toBe('12:07 AM')
    expect(formatDate(new Date(2024, 7, 9), 'day')).toBe('Aug 09')
    expect(formatDate(now, 'full')).toBe('2024-08-29 16:05')
    expect(formatDate(now, 'long')).toMatch(/^Thursday,? 29 August 2024 at 16:05:09 /)
  })

  test('a ticking age wakes up only when its text can change', () => {
    expect([30, 600, 7200].map((s) => ageTick(ago(s), +now))).toEqual([1000, 15_000, 60_000])
    expect(ageTick(null)).toBe(Infinity)
  })
})

test('[TABLE-10] tags: account, namespace, name, then the alphabet', () => {
  expect(sortTags({ zone: 'a', name: 'n', app: 'x', namespace: 'ns', account: '1' }).map(([key]) => key)).toEqual([
    'account',
    'namespace',
    'name',
    'app',
    'zone',
  ])
  expect(sortTags(null)).toEqual([])
})

test('[FMT-19] summaries: worst first, low counted as medium', () => {
  expect(summarizeSeverities({ low: 3, medium: 2, critical: 1, info: 4, high: 0 })).toEqual([
    { severity: 'Critical', count: 1 },
    { severity: 'Medium', count: 5 },
    { severity: 'Info', count: 4 },
  ])
})

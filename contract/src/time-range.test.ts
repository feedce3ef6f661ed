import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { parseDateMath } from './date-math.ts'
import {
  absoluteRange,
  decodeTimeRange,
  defaultHealthRange,
  encodeTimeRange,
  healthRangeForAge,
  healthRanges,
  healthRangeStart,
  mappedRanges,
  relativeRange,
  relativeRanges,
  rememberRange,
  type TimeRange,
  toDateMath,
  toInstants,
} from './time-range.ts'

const now = new Date('2024-08-29T10:30:15.500Z')
const at = (text: string) => parseDateMath(text, { now })?.toISOString()

describe('date math', () => {
  test.each([
    ['now', '2024-08-29T10:30:15.500Z'],
    ['now-2d', '2024-08-27T10:30:15.500Z'],
    ['now-1d/d', '2024-08-28T00:00:00.000Z'],
    ['now/w', '2024-08-26T00:00:00.000Z'],
    ['now/M', '2024-08-01T00:00:00.000Z'],
    ['now/y', '2024-01-01T00:00:00.000Z'],
    ['now/h', '2024-08-29T10:00:00.000Z'],
    ['now-6M', '2024-02-29T10:30:15.500Z'],
    ['now-1y', '2023-08-29T10:30:15.500Z'],
    ['now+1d-2h', '2024-08-30T08:30:15.500Z'],
    ['2024-02-10T00:00:00Z', '2024-02-10T00:00:00.000Z'],
    ['2024-01-31T00:00:00Z||+1M', '2024-02-29T00:00:00.000Z'],
    ['2024-02-10', '2024-02-10T00:00:00.000Z'],
  ])('%s', (text, expected) => expect(at(text)).toBe(expected))

  test.each([
    '',
    'now-',
    'now-2',
    'now-2x',
    'nowish',
    '1',
    'yesterday',
    '2024-13-01',
    'now/',
    'now-9999999d',
    '2024-01-01||',
  ])('refuses or accepts %j without throwing', (text) => expect(() => at(text)).not.toThrow())

  test('refuses what is no date math', () => {
    for (const text of ['', 'now-', 'now-2x', '1', 'yesterday', '2024-13-01', 'now/x']) expect(at(text)).toBeUndefined()
  })

  test('any text gives a valid date or undefined', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((s) => `now${s}`),
        ),
        (text) => {
          const date = parseDateMath(text, { now })
          expect(date === undefined || !Number.isNaN(+date)).toBe(true)
        },
      ),
    )
  })
})

describe('health ranges', () => {
  test('[TIME-01] the options with their minutes, in order', () => {
    expect(healthRanges.map((r) => `${r.label}=${r.minutes}`).join(', ')).toBe(
      '15m=15, 1h=60, 2h=120, 3h=180, 6h=360, 12h=720, 1d=1440, 2d=2880, 3d=4320, 1w=10080, 2w=20160, 3w=30240, ' +
        '1mo=43200, 2mo=86400, 3mo=129600, 6mo=259200, 1y=518400, 2y=1036800, 3y=1555200, 5y=2592000',
    )
  })

  test('[TIME-02] months are calendar months back, and so are years', () => {
    const start = (label: Parameters<typeof healthRangeStart>[0]) => healthRangeStart(label, now).toISOString()
    expect(start('1mo')).toBe('2024-07-29T10:30:15.500Z')
    expect(start('6mo')).toBe('2024-02-29T10:30:15.500Z')
    expect(start('1y')).toBe('2023-08-29T10:30:15.500Z')
    expect(start('1h')).toBe('2024-08-29T09:30:15.500Z')
    expect(healthRangeStart('1mo', new Date('2024-03-31T00:00:00Z')).toISOString()).toBe('2024-02-29T00:00:00.000Z')
  })

  test('the default is the second option', () => {
    expect(defaultHealthRange).toBe('1h')
    expect(defaultHealthRange).toBe(healthRanges[1].label)
  })

  test('[TIME-04] the range that reaches back to the last run', () => {
    const cases: [number, string][] = [
      [0, '1h'],
      [59.9, '1h'],
      [60, '3h'],
      [179, '3h'],
      [180, '6h'],
      [700, '12h'],
      [720, '1d'],
      [1440, '2d'],
      [4319, '3d'],
      [4320, '1w'],
      [10080, '2w'],
      [30239, '3w'],
      [30240, '1mo'],
      [43200, '2mo'],
      [86400, '3mo'],
      [129600, '6mo'],
      [259200, '1y'],
      [518400, '2y'],
      [1036800, '3y'],
      [1555200, '5y'],
      [99999999, '5y'],
    ]
    for (const [minutes, label] of cases) expect([minutes, healthRangeForAge(minutes)]).toEqual([minutes, label])
  })
})

describe('picker ranges', () => {
  test('[TIME-05] the relative ranges', () => {
    expect(relativeRanges.map((r) => r.range).join(', ')).toBe(
      '5m, 15m, 30m, 1h, 3h, 6h, 12h, 24h, 2d, 7d, 30d, 90d, 6M, 1y, 2y, 5y',
    )
  })

  test('[TIME-06] the quick ranges, with bounds in the right order', () => {
    expect(mappedRanges.map((r) => r.display)).toEqual([
      'Yesterday',
      'Day before yesterday',
      'This day last week',
      'Previous week',
      'Previous month',
      'Previous year',
      'Today',
      'Today so far',
      'This week',
      'This week so far',
      'This month',
      'This month so far',
      'This year',
      'This year so far',
    ])
    for (const { display } of mappedRanges) {
      const { from, to } = toInstants({ type: 'mapped', display }, now)
      expect(+from, display).toBeLessThan(+to)
    }
    expect(toDateMath({ type: 'mapped', display: 'Yesterday' })).toEqual({ from: 'now-1d/d', to: 'now/d' })
  })

  const ranges: TimeRange[] = [
    relativeRange('2d'),
    { type: 'mapped', display: 'Previous week' },
    absoluteRange(new Date('2024-08-01T00:00:00Z'), new Date('2024-08-02T12:30:00Z')),
  ]

  test('each kind writes its own parameters and only those', () => {
    expect(ranges.map(encodeTimeRange)).toEqual([
      { rangeType: 'relative', display: '2 days', range: 'now-2d', timeRange: '2d' },
      { rangeType: 'mapped', display: 'Previous week' },
      {
        rangeType: 'absolute',
        display: 'Custom',
        from: '2024-08-01T00:00:00.000Z',
        to: '2024-08-02T12:30:00.000Z',
      },
    ])
    for (const range of ranges) {
      const params = encodeTimeRange(range)
      expect(decodeTimeRange((name) => params[name])).toEqual(range)
    }
  })

  test('no range leaves no parameter', () => expect(encodeTimeRange(undefined)).toEqual({}))

  test('short and damaged addresses', () => {
    const read = (params: Record<string, string>) => decodeTimeRange((name) => params[name])
    expect(read({ timeRange: '6h' })).toEqual(relativeRange('6h'))
    expect(read({ range: 'now-90d' })).toEqual(relativeRange('90d'))
    expect(read({ range: 'now-4h' })).toEqual({ type: 'relative', display: '4h', range: '4h' })
    expect(read({ rangeType: 'absolute', from: 'x', to: 'y' })).toBeUndefined()
    expect(read({ rangeType: 'mapped', display: 'Next year' })).toBeUndefined()
    expect(read({})).toBeUndefined()
  })

  test('[TIME-09] the last four absolute ranges, newest first, none twice', () => {
    const r = (day: number) => ({ from: `2024-01-0${day}`, to: `2024-01-0${day + 1}` })
    let recent: { from: string; to: string }[] = []
    for (const day of [1, 2, 3, 2, 4, 5, 6]) recent = rememberRange(recent, r(day))
    expect(recent).toEqual([r(6), r(5), r(4), r(2)])
  })

  test('[TIME-11] invalid ranges are logged, the mapped path throws', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(() => toDateMath({ type: 'mapped', display: 'Someday' })).toThrow('Invalid mapped time range')
    expect(log).toHaveBeenCalledTimes(1)
    expect(() => toDateMath({ type: 'relative', display: '?', range: 'soon' })).toThrow('Invalid relative time range')
    expect(log).toHaveBeenCalledTimes(2)
    log.mockRestore()
  })
})

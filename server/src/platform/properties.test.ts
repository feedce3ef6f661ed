import { expect, test } from 'vitest'
import { durationProperty, isOn, numberProperty, parseProperties } from './properties.ts'

test('reads name=value lines and skips what is none', () => {
  const text =
    '# comment\n\njobs.A.schedule = @every 5m\r\nempty=\nurl=http://x?a=b\n=nothing\njust words\n  incidents.disable=true'
  expect(Object.fromEntries(parseProperties(text))).toEqual({
    'jobs.A.schedule': '@every 5m',
    empty: '',
    url: 'http://x?a=b',
    'incidents.disable': 'true',
  })
})

test('values that make no sense count as not set', () => {
  const properties = new Map([
    ['age', '2d'],
    ['bad', 'soon'],
    ['minus', '-1h'],
    ['count', '12'],
    ['none', ''],
  ])
  expect(durationProperty(properties, 'age', '1h')).toBe(2 * 86_400_000)
  expect(['bad', 'minus', 'absent'].map((name) => durationProperty(properties, name, '1h'))).toEqual([
    3.6e6, 3.6e6, 3.6e6,
  ])
  expect(numberProperty(properties, 'count', 3)).toBe(12)
  expect(['bad', 'none', 'absent'].map((name) => numberProperty(properties, name, 3))).toEqual([3, 3, 3])
  expect(['true', 'ON', ' 1 ', 'yes', 'false', '', undefined].map(isOn)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

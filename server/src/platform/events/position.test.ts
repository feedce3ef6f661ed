import { expect, test } from 'vitest'
import { readPosition, showPosition } from './position.ts'

test('a position is a number, with or without what was seen', () => {
  expect(readPosition('17')).toEqual({ id: 17 })
  expect(readPosition('17@5:9:6,8')).toEqual({ id: 17, snapshot: { from: '5', to: '9', open: ['6', '8'] } })
  expect(readPosition(showPosition(17, '5:5:'))).toEqual({ id: 17, snapshot: { from: '5', to: '5', open: [] } })
})

test.each([
  '',
  'abc',
  '-1',
  '1.5',
  '9'.repeat(40),
  '1@',
  '1@5',
  '1@5:6',
  '1@5:6:x',
  '1@5:6:7,',
  `1@1:2:${'3,'.repeat(600)}4`,
  7,
])('anything else is none: %s', (text) => expect(readPosition(text)).toBeUndefined())

test('a snapshot too long for an address is left out', () => {
  expect(showPosition(3, `1:999:${Array.from({ length: 500 }, (_, n) => n).join(',')}`)).toBe('3')
})

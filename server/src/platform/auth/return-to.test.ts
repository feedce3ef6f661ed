import { describe, expect, test } from 'vitest'
import { safeReturnTo } from './return-to.ts'

const origin = 'https://ops.example.test'

describe('safeReturnTo', () => {
  test.each([
    ['/', '/'],
    ['/health?timeRange=1h#x', '/health?timeRange=1h#x'],
    ['/catalog/%2e%2e/x', '/x'],
    ['https://ops.example.test/topology?x=1', '/topology?x=1'],
    ['https://ops.example.test', '/'],
  ])('%s stays here as %s', (given, expected) => expect(safeReturnTo(given, origin)).toBe(expected))

  test.each([
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/\n//evil.test',
    '/.//evil.test',
    '/a/..//evil.test',
    'https://evil.test',
    'https://ops.example.test.evil.test/',
    'https://ops.example.test@evil.test/',
    'https://user:pw@ops.example.test/',
    'http://ops.example.test/',
    'javascript:alert(1)',
    'data:text/html,x',
    'health',
    '',
    `/${'a'.repeat(3000)}`,
  ])('%j is refused', (given) => expect(safeReturnTo(given, origin)).toBeUndefined())
})

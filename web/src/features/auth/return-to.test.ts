import { describe, expect, test } from 'vitest'
import { safeReturnTo } from './return-to.ts'

const origin = 'https://deck.example.test'

describe('safeReturnTo', () => {
  test.each([
    ['/health?checkId=1#top', '/health?checkId=1#top'],
    [`${origin}/catalog?search=a`, '/catalog?search=a'],
    ['health', '/health'],
  ])('keeps %s', (given, kept) => expect(safeReturnTo(given, origin)).toBe(kept))

  test.each([
    [null],
    [''],
    ['//evil.test'],
    ['/\\evil.test'],
    ['/.//evil.test'],
    ['https://evil.test/health'],
    ['https://deck.example.test@evil.test/'],
    ['javascript:alert(1)'],
    ['/login?return_to=/health'],
    ['/auth-state-checker?return_to=/'],
    ['/api/kubeconfig'],
    [`/${'a'.repeat(3000)}`],
    ['/a\nb'],
  ])('answers / for %s', (given) => expect(safeReturnTo(given, origin)).toBe('/'))
})

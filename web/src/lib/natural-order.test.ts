import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { naturalOrder } from './natural-order.ts'

const sorted = (...texts: string[]) => [...texts].sort(naturalOrder)

describe('natural order', () => {
  test('figures by size, case aside', () => {
    expect(sorted('pod-10', 'Pod-2', 'pod-1')).toEqual(['pod-1', 'Pod-2', 'pod-10'])
    expect(sorted('v1.10.0', 'v1.9.3', 'v1.9')).toEqual(['v1.9', 'v1.9.3', 'v1.10.0'])
    expect(sorted('a007', 'a7', 'a08')).toEqual(['a007', 'a7', 'a08'])
    expect(naturalOrder('a0', 'a0')).toBe(0)
    expect(naturalOrder('', 'a')).toBeLessThan(0)
  })

  test('letters beyond ASCII sort as the language does', () => {
    expect(sorted('zebra', 'Äpfel', 'apfel')).toEqual(['Äpfel', 'apfel', 'zebra'])
  })

  test('agrees with the collator on words and figures', () => {
    const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
    const word = fc.string({ unit: fc.constantFrom('a', 'B', 'c', '0', '1', '9'), maxLength: 8 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(Math.sign(naturalOrder(a, b)) + 0).toBe(Math.sign(collator.compare(a, b)) + 0)
      }),
      { numRuns: 2000 },
    )
  })
})

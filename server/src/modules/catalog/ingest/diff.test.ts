import { describe, expect, test } from 'vitest'
import { diffDocuments, summarize } from './diff.ts'

describe('the diff of two documents', () => {
  test('nothing changed: no diff', () => {
    expect(diffDocuments({ a: 1 }, { a: 1 })).toBeUndefined()
  })
  test('unified text, forward patch, undo and summary', () => {
    const result = diffDocuments({ spec: { image: 'a', replicas: 1 } }, { spec: { image: 'a', replicas: 3 } })
    expect(result?.diff).toBe(
      [
        '--- before',
        '+++ after',
        '@@ -1,6 +1,6 @@',
        ' {',
        '   "spec": {',
        '     "image": "a",',
        '-    "replicas": 1',
        '+    "replicas": 3',
        '   }',
        ' }',
        '\\ No newline at end of file',
        '',
      ].join('\n'),
    )
    expect(result).toMatchObject({
      patches: { spec: { replicas: 3 } },
      undo: { spec: { replicas: 1 } },
      summary: 'spec.replicas',
    })
  })
  test('several leaves are named by their parents', () => {
    expect(summarize({ a: { b: 1, c: 2 }, d: { e: { f: 1 } }, g: null })).toBe('a, d.e, g')
  })
  test('a document of 100,000 lines does not hold the engine up', () => {
    const big = (seed: number) => Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i * seed]))
    expect(diffDocuments(big(1), big(2))?.diff).toContain('too long to show line by line')
  }, 30_000)
})

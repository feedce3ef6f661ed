import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { place } from './dagre.ts'

const box = (id: string) => ({ id, width: 100, height: 40 })

describe('layout', () => {
  test('goes in the direction asked for', () => {
    const request = { nodes: [box('a'), box('b')], edges: [{ source: 'a', target: 'b' }] }
    const [a, b] = place({ ...request, direction: 'LR' })
    expect(b!.x).toBeGreaterThan(a!.x + 100)
    const [c, d] = place({ ...request, direction: 'TB' })
    expect(d!.y).toBeGreaterThan(c!.y + 40)
  })

  test('unknown ends, circles and self-references do no harm, and nothing overlaps', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    fc.assert(
      fc.property(
        fc.uniqueArray(id, { minLength: 1 }),
        fc.array(fc.record({ source: id, target: id }), { maxLength: 12 }),
        (ids, edges) => {
          const places = place({ nodes: ids.map(box), edges, direction: 'LR' })
          expect(places.map((p) => p.id)).toEqual(ids)
          for (const p of places)
            for (const q of places)
              if (p !== q) expect(Math.abs(p.x - q.x) >= 100 || Math.abs(p.y - q.y) >= 40).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })
})

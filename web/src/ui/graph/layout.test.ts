import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { place } from './dagre.ts'

const box = (id: string) => ({ id, width: 100, height: 40 })

describe('layout', () => {
  test('goes in the direction asked for', () => {
    const request = { nodes: [box('a'), box('b')], edges: [{ source: 'a', target: 'b' }] }
    const [a, b] = place({ ...request, direction: 'LR' }).places
    expect(b!.x).toBeGreaterThan(a!.x + 100)
    const [c, d] = place({ ...request, direction: 'TB' }).places
    expect(d!.y).toBeGreaterThan(c!.y + 40)
  })

  test('many that hang on one node stand in rows inside a frame', () => {
    const leaves = Array.from({ length: 30 }, (_, i) => `leaf${i}`)
    const edges = [...leaves.map((target) => ({ source: 'a', target })), { source: 'root', target: 'a' }]
    const { places, frames } = place({ nodes: ['root', 'a', ...leaves].map(box), edges, direction: 'LR' })
    expect(frames).toMatchObject([{ anchor: 'a', side: 'out', members: leaves }])
    const frame = frames[0]!
    expect(frame.height).toBeLessThan(30 * 40)
    for (const { id, x, y } of places.filter((each) => each.id.startsWith('leaf'))) {
      expect([id, x >= frame.x, y >= frame.y]).toEqual([id, true, true])
      expect(x + 100).toBeLessThanOrEqual(frame.x + frame.width)
      expect(y + 40).toBeLessThanOrEqual(frame.y + frame.height)
    }
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(32)
  })

  test('a few, and those that lead on, stay in their layers', () => {
    const leaves = Array.from({ length: 8 }, (_, i) => `leaf${i}`)
    const edges = leaves.map((target) => ({ source: 'a', target }))
    const few = place({ nodes: ['a', ...leaves.slice(0, 6)].map(box), edges, direction: 'LR' })
    expect(few.frames).toEqual([])
    const on = leaves.slice(0, 2).map((source) => ({ source, target: 'b' }))
    expect(place({ nodes: ['a', 'b', ...leaves].map(box), edges: [...edges, ...on], direction: 'LR' }).frames).toEqual(
      [],
    )
  })

  test('unknown ends, circles and self-references do no harm, and nothing overlaps', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    fc.assert(
      fc.property(
        fc.uniqueArray(id, { minLength: 1 }),
        fc.array(fc.record({ source: id, target: id }), { maxLength: 12 }),
        (ids, edges) => {
          const { places } = place({ nodes: ids.map(box), edges, direction: 'LR' })
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

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { neighbourhood, withoutLoose } from './neighbourhood.ts'
import type { RelatedConfig } from './related-config.ts'
import { openAtFirst, relationGraph } from './relation-graph.ts'
import { relationFilters, toggled, typeFilterOf } from './relations.filters.ts'

const item = (id: string, type: string, to: string[] = []): RelatedConfig => ({
  id,
  name: id,
  type,
  related_ids: to,
  tags: null,
  changes: null,
  analysis: null,
  cost_total_30d: null,
  created_at: null,
  updated_at: null,
  health: 'healthy',
  status: null,
})
const root = item('root', 'Deployment')
const draw = (rows: RelatedConfig[], openness = openAtFirst) => {
  const { nodes, edges } = relationGraph(neighbourhood(root, rows), openness)
  return {
    ids: nodes.map((node) => node.id),
    edges: edges.map((edge) => `${edge.source}>${edge.target}`).toSorted(),
    node: (id: string) => nodes.find((node) => node.id === id),
  }
}
const pods = (count: number) => Array.from({ length: count }, (_, i) => item(`pod${i}`, 'Pod'))
const names = (rows: RelatedConfig[]) => rows.map((row) => row.id)

describe('[REL-05] grouping', () => {
  test('two of a type stand for themselves', () => {
    const drawn = draw([{ ...root, related_ids: names(pods(2)) }, ...pods(2)])
    expect(drawn.ids).toEqual(['root', 'pod0', 'pod1'])
  })

  test('three of a type are one node, open at first', () => {
    const drawn = draw([{ ...root, related_ids: names(pods(3)) }, ...pods(3)])
    expect(drawn.node('root/outgoing/Pod')).toMatchObject({ kind: 'group', toggle: { isOpen: true, count: 3 } })
    expect(drawn.edges).toContain('root>root/outgoing/Pod')
    expect(drawn.edges).toContain('root/outgoing/Pod>pod2')
  })

  test('the items of a group stand by name', () => {
    const mixed = [10, 2, 1].map((at) => item(`pod${at}`, 'Pod'))
    const group = draw([{ ...root, related_ids: names(mixed) }, ...mixed]).node('root/outgoing/Pod')
    expect(group?.kind === 'group' && group.members.map((member) => member.id)).toEqual(['pod1', 'pod2', 'pod10'])
  })

  test('four are one closed node that opens', () => {
    const rows = [{ ...root, related_ids: names(pods(4)) }, ...pods(4)]
    expect(draw(rows).ids).toEqual(['root', 'root/outgoing/Pod'])
    const chosen = new Map([['root/outgoing/Pod', true]])
    expect(draw(rows, { rest: 'few', chosen }).ids).toHaveLength(6)
  })

  test('what points to the item is grouped alike, with the arrows the other way', () => {
    const drawn = draw([root, ...pods(3).map((pod) => ({ ...pod, related_ids: ['root'] }))])
    expect(drawn.edges).toEqual([
      'pod0>root/incoming/Pod',
      'pod1>root/incoming/Pod',
      'pod2>root/incoming/Pod',
      'root/incoming/Pod>root',
    ])
  })

  test('an item with more than three below it is closed at first, one with three is open', () => {
    const below = ['A', 'B', 'C', 'D'].map((type) => item(type.toLowerCase(), type))
    const rows = [{ ...root, related_ids: ['mid'] }, item('mid', 'Mid', names(below)), ...below]
    expect(draw(rows).ids).toEqual(['root', 'mid'])
    expect(draw(rows).node('mid')).toMatchObject({ toggle: { isOpen: false, count: 4 } })
    expect(draw([rows[0]!, item('mid', 'Mid', ['a', 'b', 'c']), ...below.slice(0, 3)]).ids).toHaveLength(5)
    expect(draw(rows, { rest: 'all', chosen: new Map() }).ids).toHaveLength(6)
  })
})

describe('what hangs together', () => {
  test('chains, circles and edges across keep their direction', () => {
    const rows = [
      { ...root, related_ids: ['rs'] },
      item('rs', 'ReplicaSet', ['pod', 'root']),
      item('pod', 'Pod'),
      item('ns', 'Namespace', ['root', 'pod']),
      item('cluster', 'Cluster', ['ns']),
    ]
    const drawn = draw(rows)
    expect(drawn.edges).toEqual(['cluster>ns', 'ns>pod', 'ns>root', 'root>rs', 'rs>pod', 'rs>root'])
    const { standing } = neighbourhood(root, rows)
    expect(standing.get('pod')).toEqual({ side: 'outgoing', distance: 2 })
    expect(standing.get('cluster')).toEqual({ side: 'incoming', distance: 2 })
  })

  test('what a filter cut off hangs loosely at the item; what a relation filter cut off is gone', () => {
    const around = neighbourhood(root, [item('pod', 'Pod')])
    expect(around.standing.get('pod')).toMatchObject({ isLoose: true })
    expect(relationGraph(around).edges).toEqual([{ source: 'root', target: 'pod', dashed: true }])
    expect([...withoutLoose(around).items.keys()]).toEqual(['root'])
  })

  test('every edge has both ends, whatever the rows are', () => {
    const id = fc.constantFrom('root', 'a', 'b', 'c', 'd', 'e', 'f', 'g')
    const row = fc.record({ id, type: fc.constantFrom('X', 'Y'), to: fc.array(id) })
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { selector: (each) => each.id }),
        fc.constantFrom('few', 'all', 'none'),
        (rows, rest) => {
          const around = neighbourhood(
            root,
            rows.map((each) => item(each.id, each.type, each.to)),
          )
          const { nodes, edges } = relationGraph(around, { rest, chosen: new Map() })
          const ids = new Set(nodes.map((node) => node.id))
          expect(ids.size).toBe(nodes.length)
          expect(ids.has('root')).toBe(true)
          for (const edge of edges) expect(ids.has(edge.source) && ids.has(edge.target)).toBe(true)
          if (rest === 'all') for (const each of rows) expect(ids.has(each.id)).toBe(true)
        },
      ),
    )
  })

  test('a thousand items are drawn in a moment', () => {
    const rows = [
      { ...root, related_ids: names(pods(50)) },
      ...pods(50).map((pod, i) => ({ ...pod, related_ids: Array.from({ length: 19 }, (_, j) => `c${i}-${j}`) })),
      ...Array.from({ length: 950 }, (_, i) => item(`c${Math.floor(i / 19)}-${i % 19}`, 'Container')),
    ]
    const start = performance.now()
    const drawn = draw(rows, { rest: 'all', chosen: new Map() })
    expect(drawn.ids.length).toBeGreaterThan(1000)
    expect(performance.now() - start).toBeLessThan(500)
  })
})

describe('[REL-10] directions', () => {
  test('both are all; neither is outgoing', () => {
    expect(typeFilterOf({ outgoing: true, incoming: true })).toBe('all')
    expect(typeFilterOf({ outgoing: false, incoming: true })).toBe('incoming')
    expect(typeFilterOf({ outgoing: true, incoming: false })).toBe('outgoing')
    expect(typeFilterOf({ outgoing: false, incoming: false })).toBe('outgoing')
  })

  test('the last direction hands over to the other', () => {
    expect(toggled({ outgoing: true, incoming: true }, 'incoming')).toEqual({ outgoing: true, incoming: false })
    expect(toggled({ outgoing: true, incoming: false }, 'outgoing')).toEqual({ outgoing: false, incoming: true })
  })

  test('the address', () => {
    expect(
      relationFilters.read('configTypes=Kubernetes__Pod:1,Kubernetes__Node:1&incoming=true&outgoing=true'),
    ).toMatchObject({
      configTypes: { 'Kubernetes::Pod': 1, 'Kubernetes::Node': 1 },
      hideDeleted: true,
      soft: false,
    })
    expect(relationFilters.write({ labels: { app: 'web' }, status: { Running: -1 } }).toString()).toBe(
      'labels=app__%3A__web&status=Running%3A-1',
    )
  })
})

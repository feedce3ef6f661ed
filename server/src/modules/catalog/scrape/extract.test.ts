import { CustomScraper } from '@quarterdeck/contract/scrapers/custom'
import { describe, expect, test } from 'vitest'
import type { CatalogItem } from '../ingest/catalog-item.ts'
import { extract, type Extracted } from './extract.ts'

const base = { type: 'T::T', id: '$.id' }
async function all(config: unknown, spec: object = {}, full = false): Promise<Extracted[]> {
  const found: Extracted[] = []
  const parsed = CustomScraper.parse({ ...base, ...spec, config })
  for await (const one of extract({ config, source: 'here' }, parsed, { full })) found.push(one)
  return found
}
async function one(config: unknown, spec: object = {}, full = false): Promise<CatalogItem> {
  const [first] = await all(config, spec, full)
  if (!first || !('item' in first)) throw new Error(JSON.stringify(first))
  return first.item
}

describe('fields', () => {
  test('fixed text, paths, and what they default to', async () => {
    expect(
      await one({ id: 5, kind: 'disk' }, { class: '$.kind', name: 'fixed', description: '$.none', status: 'Up' }),
    ).toMatchObject({
      externalIds: ['5'],
      type: 'T::T',
      configClass: 'disk',
      name: 'fixed',
      description: null,
      status: 'Up',
      health: null,
    })
    expect(await one({ id: 'x' })).toMatchObject({ name: 'x', configClass: 'T::T', health: 'unknown' })
    expect(await one({ id: 'x' }, { health: 'SICK' })).toMatchObject({ health: 'unknown' })
  })

  test('times in a layout of their own', async () => {
    const spec = { createFields: ['$.nope', '$.born'], timestampFormat: '02.01.2006 15:04' }
    expect((await one({ id: 'x', born: '24.12.2025 18:30' }, spec)).createdAt).toEqual(new Date('2025-12-24T18:30:00Z'))
    expect((await one({ id: 'x', born: 'soon' }, spec)).createdAt).toBeNull()
    expect((await one({ id: 'x', born: 1_700_000_000 }, { createFields: ['$.born'] })).createdAt).toEqual(
      new Date(1_700_000_000_000),
    )
  })

  test('labels only where the item has none, tags from text, label and path, and tags are labels too', async () => {
    const item = await one(
      { id: 'x', zone: 'z1' },
      {
        labels: { a: '1' },
        tags: [
          { name: 't', value: 'v' },
          { name: 'l', label: 'a' },
          { name: 'z', jsonpath: '$.zone' },
          { name: 'no', jsonpath: '$.no' },
        ],
      },
    )
    expect(item.tags).toEqual({ l: '1', t: 'v', z: 'z1' })
    expect(item.labels).toEqual({ a: '1', l: '1', t: 'v', z: 'z1' })
  })

  test('at most five tags with names of their own', () => {
    const tag = (name: string) => ({ name, value: 'v' })
    expect(CustomScraper.safeParse({ config: {}, tags: 'abcdef'.split('').map(tag) }).success).toBe(false)
    expect(CustomScraper.safeParse({ config: {}, tags: [tag('a'), tag('a')] }).success).toBe(false)
  })
})

describe('documents', () => {
  test('items split one document, a list is a list of items, transforms make new ones', async () => {
    expect(await all({ list: [{ id: 1 }, { id: 2 }] }, { items: '$.list[*]' })).toHaveLength(2)
    expect(await all({ list: [{ id: 1 }, { id: 2 }] }, { items: '$.list' })).toHaveLength(2)
    expect(await all([{ id: 1 }, { id: 2 }, { id: 3 }])).toHaveLength(3)
    const doubled = (spec: object) => all({ id: 'a', parts: ['x', 'y'] }, { transform: spec })
    for (const spec of [
      { javascript: `config.parts.map(id => ({ id: config.id + id, from: result.source }))` },
      { expr: `config.parts.map(p, {'id': config.id + p, 'from': result.source})` },
      { gotemplate: `[{"id":"ax","from":"here"},{"id":"ay","from":"here"}]` },
    ]) {
      const ids = (await doubled(spec)).map((each) => ('item' in each ? each.item.config : each))
      expect(ids).toEqual([
        { from: 'here', id: 'ax' },
        { from: 'here', id: 'ay' },
      ])
    }
    expect(await all({ parts: [{ id: 1 }, { id: 2 }] }, { transform: { jsonpath: '$.parts' } })).toHaveLength(2)
  })

  test('what a transform gives must be a list', async () => {
    expect(await all({ id: 'a' }, { transform: { expr: `'text'` } })).toEqual([
      { error: { item: 'here', message: 'transform: the transform did not give a JSON list' } },
    ])
  })

  test('exclusions hold for their types only, and lists keep their other elements', async () => {
    const config = {
      id: 'x',
      keep: 1,
      drop: 2,
      list: [
        { n: 1, s: 'x' },
        { n: 2, s: 'y' },
      ],
    }
    const exclude = [{ jsonpath: '$.drop' }, { jsonpath: '$.keep', types: ['Other::T'] }, { jsonpath: '$.list[*].s' }]
    expect((await one(config, { transform: { exclude } })).config).toEqual({
      id: 'x',
      keep: 1,
      list: [{ n: 1 }, { n: 2 }],
    })
    expect((await one(config, { transform: { exclude: [{ jsonpath: '$.list[?@.n > 0]' }] } })).config).toEqual({
      id: 'x',
      keep: 1,
      drop: 2,
      list: [],
    })
  })

  test('masks come last, so that ids and relationships still see the value', async () => {
    const item = await one(
      { id: 'x', password: 'hunter2', nested: [{ password: 'p' }] },
      {
        name: '$.password',
        transform: {
          relationship: [{ name: { expr: 'config.password' } }],
          mask: [
            { selector: "config_type == 'T::T'", jsonpath: '$..password', value: 'md5sum' },
            { selector: '', jsonpath: '$.id', value: 'never' },
            { selector: "config.absent.field == 'x'", jsonpath: '$.id', value: 'never' },
          ],
        },
      },
    )
    expect(item.config).toEqual({
      id: 'x',
      password: '2ab96390c7dbe3439de74d0c9b0b1767',
      nested: [{ password: '83878c91171338902e0fe0fb97a8c47a' }],
    })
    expect(item.selectors).toEqual([{ selector: { name: 'hunter2' }, relation: '', parent: false }])
    expect(item.name).toBe('hunter2')
  })

  test('the order of keys does not matter, every other difference does', async () => {
    const hash = async (config: unknown, spec: object = {}) => (await one(config, spec)).itemHash.toString('hex')
    expect(await hash({ id: 'x', a: 1, b: null })).toBe(await hash({ b: null, a: 1, id: 'x' }))
    expect(await hash({ id: 'x', a: 1 })).not.toBe(await hash({ id: 'x', a: 2 }))
    expect(await hash({ id: 'x' })).not.toBe(await hash({ id: 'x' }, { status: 'Up' }))
  })
})

describe('relationships', () => {
  const rule = async (relationship: object) =>
    (
      await one(
        { id: 'x', node: 'n1', many: ['a', 'b'] },
        { labels: { app: 'shop' }, transform: { relationship: [relationship] } },
      )
    ).selectors
  test('by lookups, by an expression, filtered, and never wider than said', async () => {
    expect(
      await rule({ type: 'Node', name: { expr: 'config.node' }, labels: { a: 'b' }, parent: true, relation: 'runs' }),
    ).toEqual([{ selector: { type: 'Node', name: 'n1', labels: { a: 'b' } }, relation: 'runs', parent: true }])
    expect(await rule({ name: { label: 'app' }, scope: 'all' })).toMatchObject([
      { selector: { name: 'shop', scope: 'all' } },
    ])
    expect(await rule({ expr: `config.many.map(m, {'external_id': m, 'type': 'T'})` })).toMatchObject([
      { selector: { external_id: 'a', type: 'T' } },
      { selector: { external_id: 'b', type: 'T' } },
    ])
    expect(await rule({ filter: `config.node == 'n2'`, name: 'x' })).toEqual([])
    expect(await rule({ type: 'Node', name: { expr: 'config.absent' } })).toEqual([])
    expect(await rule({ scope: 'all' })).toEqual([])
  })
})

describe('full mode', () => {
  test('an item with its changes, findings and costs; paths start at the document or at what holds it', async () => {
    const body = {
      config: { id: 'x' },
      outer: 'name',
      cost_per_minute: 0.5,
      changes: [
        {
          change_type: 'Deploy',
          external_change_id: 'd1',
          created_at: '2026-01-01T00:00:00Z',
          created_by: 'ann',
          update_existing: true,
        },
      ],
      analysis: [{ analyzer: 'a', messages: ['one', 'two'] }, { message: 'no analyzer' }],
    }
    expect(await one(body, { name: '$.outer' }, true)).toMatchObject({
      name: 'name',
      config: { id: 'x' },
      costs: { perMinute: 0.5 },
      changes: [
        {
          changeType: 'Deploy',
          externalChangeId: 'd1',
          createdBy: 'ann',
          updateExisting: true,
          createdAt: new Date('2026-01-01T00:00:00Z'),
        },
      ],
      analyses: [{ analyzer: 'a', analysisType: 'other', severity: 'info', message: 'one<br><br>two' }],
    })
    expect(await all({ id: 'x' }, {}, true)).toEqual([
      { error: { item: 'here', message: 'in full mode every item is an object with config and changes' } },
    ])
  })
  test('a change may be about another item than the one it is told with', async () => {
    const id = '0190A5F0-0000-7000-8000-000000000001'
    const changes = [
      { change_type: 'Own' },
      { change_type: 'Named', external_id: 'y', config_type: 'Test::Other' },
      { change_type: 'Row', configID: id },
      { change_type: 'NoRow', configID: 'not a uuid' },
    ]
    const item = await one({ config: { id: 'x' }, changes }, {}, true)
    expect(item.changes.map((change) => change.item)).toEqual([
      undefined,
      { externalId: 'y', type: 'Test::Other' },
      { id: id.toLowerCase() },
      undefined,
    ])
  })
})

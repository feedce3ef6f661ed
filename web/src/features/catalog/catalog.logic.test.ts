import { describe, expect, test } from 'vitest'
import { costChange, isScrapeStale, kindName, providerName } from '@/entities/config/config.ts'
import { catalogFilters, isFlat } from './catalog.filters.ts'
import { summaryBody } from './catalog.queries.ts'
import { changeFilters, searchBody } from './changes/changes.filters.ts'
import { sidesOf } from './changes/unified-diff.ts'
import { ownTextOf, isLarge, textOf } from './item/document-text.ts'
import { configCountQuery, configPageQuery, orderOf } from './list/config-list.queries.ts'
import { tagSelectorGroups } from './list/tag-groups.ts'
import { healthCounts } from './summary/summary-columns.tsx'
import { summaryTree } from './summary/summary-tree.ts'

const address = (change: Parameters<typeof catalogFilters.write>[0]) => catalogFilters.write(change).toString()

describe('the address of the catalog', () => {
  test('[CAT-04] labels are pairs key__:__value', () => {
    const { labels } = catalogFilters.read('labels=app__:__web,tier__:__front')
    expect(labels).toEqual({ app: 'web', tier: 'front' })
    expect(decodeURIComponent(address({ labels }))).toBe('labels=app__:__web,tier__:__front')
  })

  test('[CAT-08] tags are key____value:1 or :-1', () => {
    const { tags } = catalogFilters.read('tags=region____eu:1,env____dev:-1')
    expect(tags).toEqual({ 'region:eu': 1, 'env:dev': -1 })
    expect(decodeURIComponent(address({ tags }))).toBe('tags=region____eu:1,env____dev:-1')
  })

  test('[CAT-09] commas in values are four pipes, colons four underscores', () => {
    const status = { 'a,b': 1, 'c:d': -1 } as const
    expect(decodeURIComponent(address({ status }))).toBe('status=a||||b:1,c____d:-1')
    expect(catalogFilters.read('status=a||||b:1,c____d:-1').status).toEqual(status)
  })

  test('[CAT-10] type ascending is the default and not stored; no order at all removes both parameters', () => {
    expect(catalogFilters.read('').sort).toEqual({ id: 'type', desc: false })
    expect(address({ sort: { id: 'type', desc: false } })).toBe('')
    expect(address({ sort: { id: 'name', desc: true } })).toBe('sortBy=name&sortOrder=desc')
    expect(catalogFilters.write({ sort: undefined }, 'sortBy=name&sortOrder=desc').toString()).toBe('')
  })

  test('[CAT-07] groups are a comma list; tags carry a suffix; provider, then type unless given', () => {
    expect(catalogFilters.read('').groupBy).toEqual(['config_class', 'type'])
    expect(catalogFilters.read('groupBy=').groupBy).toEqual(['config_class', 'type'])
    expect(catalogFilters.read('groupBy=namespace__tag,type').groupBy).toEqual(['namespace__tag', 'type'])
  })

  test('only a type, labels or a text ask for the list', () => {
    const flat = (query: string) => isFlat(catalogFilters.read(query))
    expect(['configType=A', 'labels=a__:__b', 'search=x'].every(flat)).toBe(true)
    expect(['', 'status=Running:1', 'health=healthy:1', 'tags=a____b:1', 'groupBy=type'].some(flat)).toBe(false)
  })
})

describe('what is asked of the server', () => {
  test('[CAT-24] the summary: no provider group, tags without their suffix, lists decoded, windows of 30 days', () => {
    const filters = catalogFilters.read('groupBy=config_class,namespace__tag&health=healthy:-1&tags=env____dev:-1')
    expect(summaryBody(filters, false)).toEqual({
      groupBy: ['namespace'],
      deleted: false,
      health: '!healthy',
      status: undefined,
      tag_selector: 'env!=dev',
      changes: { since: '30d' },
      analysis: { since: '30d' },
      cost: '30d',
    })
    expect(summaryBody(catalogFilters.read(''), true)).toMatchObject({ groupBy: ['type'], deleted: true })
  })

  test('[CAT-17] deleted items stand last in every order', () => {
    expect(orderOf({ id: 'type', desc: false }, false)).toEqual(['type.asc', 'name.asc', 'id.asc'])
    expect(orderOf({ id: 'name', desc: true }, true)).toEqual(['deleted_at.desc.nullsfirst', 'name.desc', 'id.asc'])
    expect(orderOf({ id: 'unheard of', desc: false }, false)[0]).toBe('type.asc')
    expect(orderOf({ id: 'cost_total_1d', desc: true }, false)[0]).toBe('cost_total_1d.desc.nullslast')
  })

  test('[CAT-26] the list is fresh for five minutes and forgotten when it is left', () => {
    const list = { filters: catalogFilters.read('search=x'), withDeleted: false, sort: undefined }
    for (const query of [configCountQuery(list), configPageQuery(list, 0), configPageQuery(list, 9)])
      expect(query).toMatchObject({ staleTime: 300_000, gcTime: 0 })
  })

  test('[CHG-10] the search of changes', () => {
    const filters = changeFilters.read(
      'configTypes=Kubernetes__Pod:1,Kubernetes__Node:1&changeType=diff:-1&severity=high&summary=a||||b____c:1' +
        '&tags=region____eu:1,region____us:1,env____dev:-1&sortBy=name&sortOrder=asc&page=3&type_filter=all',
    )
    expect(searchBody(filters, { configId: 'some-id', withDeleted: true })).toEqual({
      id: 'some-id',
      config_type: 'Kubernetes::Pod,Kubernetes::Node',
      type: '!diff',
      severity: 'high',
      summary: 'a%2Cb%3Ac',
      source: undefined,
      created_by: undefined,
      tags: 'region in (eu,us),env!=dev',
      from: 'now-2d',
      to: 'now',
      page: 3,
      page_size: 200,
      sort_by: 'name',
      recursive: 'all',
      depth: 5,
      include_deleted_configs: true,
    })
    const plain = searchBody(changeFilters.read('configType=Kubernetes::Pod'), { withDeleted: false })
    expect(plain).toMatchObject({
      config_type: 'Kubernetes::Pod',
      recursive: 'none',
      sort_by: '-created_at',
      page: 1,
      page_size: 200,
      include_deleted_configs: false,
    })
    expect(plain).not.toHaveProperty('depth')
  })

  test('tags of one key are alternatives', () => {
    expect(tagSelectorGroups({ 'a:1': 1, 'a:2': 1, 'b:x:y': -1 })).toEqual([
      { key: 'a', values: ['1', '2'], sign: 1 },
      { key: 'b', values: ['x:y'], sign: -1 },
    ])
  })
})

describe('the summary as a tree', () => {
  const row = (type: string, count: number, more: object = {}) => ({ type, count, health: null, ...more })
  const rows = [
    row('AWS::EC2', 2, { cost_total_30d: 5, changes: 1, health: { healthy: 2 }, updated_at: '2024-01-02' }),
    row('AWS::S3', 3, { cost_30d: 2.5, changes: 4, health: { healthy: 1, unhealthy: 1 }, updated_at: '2024-01-03' }),
    row('Jira', 1),
  ]

  test('provider, then type; a provider of one type needs no heading', () => {
    const tree = summaryTree(rows, ['config_class', 'type'], [])
    expect(tree.map((node) => node.label)).toEqual(['AWS', 'Jira'])
    expect(tree[0]).toMatchObject({
      count: 5,
      cost: 7.5,
      changes: 5,
      health: { healthy: 3, unhealthy: 1 },
      updated_at: '2024-01-03',
      type: undefined,
    })
    expect(tree[0]!.children!.map((node) => [node.label, node.type])).toEqual([
      ['AWS::EC2', 'AWS::EC2'],
      ['AWS::S3', 'AWS::S3'],
    ])
    expect(healthCounts(tree[0]!)).toEqual({ healthy: 3, unhealthy: 1, warning: 0, unknown: 1 })
  })

  test('by a tag and the type: a line knows what narrows the list to it', () => {
    const tree = summaryTree(
      [
        row('A::B', 1, { namespace: 'shop' }),
        row('A::C', 1, { namespace: 'shop' }),
        row('A::B', 1, { namespace: null }),
      ],
      ['namespace__tag', 'type'],
      [],
    )
    expect(tree.map((node) => node.label)).toEqual(['shop', '(none)'])
    expect(tree[0]!.children![1]).toMatchObject({ type: 'A::C', labels: { namespace: 'shop' } })
    // Items without the tag are those with none of its values.
    expect(tree[1]!.children![0]).toMatchObject({ type: 'A::B', labels: {}, tags: { 'namespace:shop': -1 } })
    expect(tree[0]!.tags).toEqual({})
  })

  test('favourites come first, once', () => {
    const tree = summaryTree(rows, ['config_class', 'type'], ['AWS::S3', 'gone'])
    expect(tree.map((node) => [node.label, node.isFavourite])).toEqual([
      ['AWS::S3', true],
      ['AWS::EC2', false],
      ['Jira', false],
    ])
  })
})

describe('items', () => {
  test('[CDET-08] the cost of a day is compared with the daily average of 30 days', () => {
    expect(costChange({ cost_total_1d: 2, cost_total_30d: 30 })).toBe(100)
    expect(costChange({ cost_total_1d: 0.5, cost_total_30d: 30 })).toBe(-50)
    expect(costChange({ cost_total_1d: 1, cost_total_30d: 0 })).toBeUndefined()
    expect(costChange({ cost_total_30d: 30 })).toBeUndefined()
  })

  test('[CDET-07] a scrape is late from one hour on, unless the item is deleted', () => {
    const now = Date.parse('2024-08-29T10:00:00Z')
    const item = (last_scraped_time: string | null, deleted_at: string | null = null) => ({
      last_scraped_time,
      deleted_at,
    })
    expect(isScrapeStale(item('2024-08-29T09:00:00Z'), now)).toBe(true)
    expect(isScrapeStale(item('2024-08-29T09:00:01Z'), now)).toBe(false)
    expect(isScrapeStale(item('2024-08-29T01:00:00Z', '2024-08-29T02:00:00Z'), now)).toBe(false)
    expect(isScrapeStale(item(null), now)).toBe(false)
  })

  test('types are a provider and a kind', () => {
    expect([providerName('AWS::EC2::Instance'), kindName('AWS::EC2::Instance'), kindName('Jira')]).toEqual([
      'AWS',
      'EC2 Instance',
      'Jira',
    ])
  })
})

describe('documents', () => {
  test('text that came as text stays as it came', () => {
    expect(ownTextOf({ content: 'a: 1', format: 'YAML' })).toEqual({ content: 'a: 1', format: 'yaml' })
    expect(ownTextOf({ content: { a: 1 } })).toBeUndefined()
    expect(ownTextOf({ kind: 'Pod' })).toBeUndefined()
    expect(ownTextOf('plain')).toEqual({ content: 'plain', format: 'text' })
  })

  test('what something is comes first, its status last', () => {
    const pod = { status: {}, spec: {}, kind: 'Pod', metadata: { labels: {}, name: 'a' }, apiVersion: 'v1' }
    expect(Object.keys(JSON.parse(textOf(pod, 'json')) as object)).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'spec',
      'status',
    ])
    expect(textOf(pod, 'yaml').indexOf('name: a')).toBeLessThan(textOf(pod, 'yaml').indexOf('labels:'))
  })

  test('large is what has many parts or long texts', () => {
    expect(isLarge({ a: 1 })).toBe(false)
    expect(isLarge(Array.from({ length: 30_000 }, () => 1))).toBe(true)
    expect(isLarge('x'.repeat(5_000_000))).toBe(true)
  })
})

test('a unified diff has two sides', () => {
  const diff = '--- before\n+++ after\n@@ -1,3 +1,3 @@\n spec:\n-  replicas: 1\n+  replicas: 2\n@@ -9 +9 @@\n-a\n+b\n'
  expect(sidesOf(diff)).toEqual({
    before: 'spec:\n  replicas: 1\n…\na',
    after: 'spec:\n  replicas: 2\n…\nb',
    lineNumbers: { before: [1, 2, undefined, 9], after: [1, 2, undefined, 9] },
  })
  expect(sidesOf('no diff')).toBeUndefined()
})

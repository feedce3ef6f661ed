import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCacheControl } from './find.ts'
import { matchesList } from './match-list.ts'
import { meets, parseRequirements, SelectorError } from './requirements.ts'
import { matchesSelector, readSelector, type Resource } from './selector.ts'
import { selectorWhere } from './selector.sql.ts'

describe('conditions', () => {
  test.each<[string, unknown]>([
    ['', []],
    ['  ', []],
    ['a=b', [{ key: 'a', operator: 'in', values: ['b'] }]],
    ['a == b', [{ key: 'a', operator: 'in', values: ['b'] }]],
    ['a!=b', [{ key: 'a', operator: 'notin', values: ['b'] }]],
    ['a=', [{ key: 'a', operator: 'in', values: [''] }]],
    ['a in (x, y,z)', [{ key: 'a', operator: 'in', values: ['x', 'y', 'z'] }]],
    ['a notin (x)', [{ key: 'a', operator: 'notin', values: ['x'] }]],
    ['a', [{ key: 'a', operator: 'exists', values: [] }]],
    ['!a', [{ key: 'a', operator: 'missing', values: [] }]],
    [
      'n > 3, n<10',
      [
        { key: 'n', operator: 'gt', values: ['3'] },
        { key: 'n', operator: 'lt', values: ['10'] },
      ],
    ],
    [
      'app.kubernetes.io/name=web-1,tier in (a)',
      [
        { key: 'app.kubernetes.io/name', operator: 'in', values: ['web-1'] },
        { key: 'tier', operator: 'in', values: ['a'] },
      ],
    ],
    ['"odd key"="a, b"', [{ key: 'odd key', operator: 'in', values: ['a, b'] }]],
    ['inside=x', [{ key: 'inside', operator: 'in', values: ['x'] }]],
    [
      'region in (eu,us),env!=dev',
      [
        { key: 'region', operator: 'in', values: ['eu', 'us'] },
        { key: 'env', operator: 'notin', values: ['dev'] },
      ],
    ],
  ])('%s', (text, expected) => expect(parseRequirements(text)).toEqual(expected))
  test.each(['=b', 'a in', 'a in (', 'a in (x', 'a b', ',a', 'a,', 'a,,b', '!', 'n > x', '"a'])(
    '"%s" is refused with the place',
    (text) => {
      expect(() => parseRequirements(text)).toThrow(SelectorError)
      expect(() => parseRequirements(text)).toThrow(/is wrong at \d+/)
    },
  )
  test('any text is read or refused', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '=',
      '!=',
      '!',
      ',',
      ' ',
      'in',
      'notin',
      '(',
      ')',
      '"',
      "'",
      '<',
      '>',
      '5',
      '.',
      '/',
      "'; drop table x; --",
      '%',
      '\\',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        try {
          for (const { key, operator } of parseRequirements(parts.join('')))
            expect([typeof key, typeof operator]).toEqual(['string', 'string'])
        } catch (error) {
          if (!(error instanceof SelectorError)) throw error
        }
      }),
    )
  })
  test('mean what Kubernetes means', () => {
    const holds = (text: string, value?: string) => parseRequirements(text).every((one) => meets(one, value))
    expect([holds('a=x', 'x'), holds('a=x', 'y'), holds('a=x')]).toEqual([true, false, false])
    expect([holds('a!=x', 'x'), holds('a!=x', 'y'), holds('a!=x')]).toEqual([false, true, true])
    expect([holds('a notin (x)', 'x'), holds('a notin (x)')]).toEqual([false, true])
    expect([holds('a', ''), holds('a'), holds('!a', 'x'), holds('!a')]).toEqual([true, false, false, true])
    expect([holds('a>3', '4'), holds('a>3', '3'), holds('a>3', 'x'), holds('a<3')]).toEqual([true, false, false, false])
  })
})

describe('match lists', () => {
  test.each<[string[], string, boolean]>([
    [[], 'x', true],
    [['x'], 'x', true],
    [['y'], 'x', false],
    [['!x'], 'x', false],
    [['!x'], 'y', true],
    [['Kube*'], 'Kubernetes::Pod', true],
    [['*Pod'], 'Kubernetes::Pod', true],
    [['*net*'], 'Kubernetes::Pod', true],
    [['Kubernetes*', '!*Pod'], 'Kubernetes::Pod', false],
    [['Kubernetes*', '!*Pod'], 'Kubernetes::Node', true],
    [['*'], 'anything', true],
    [['Kubernetes%3A%3APod'], 'Kubernetes::Pod', true],
    [['100%'], '100%', true],
    [['a_c'], 'abc', false],
  ])('%j with %s is %s', (list, value, expected) => expect(matchesList(list, value)).toBe(expected))
})

test('cache settings', () => {
  expect(readCacheControl('')).toEqual({ read: true, store: true })
  expect(readCacheControl('no-cache')).toEqual({ read: false, store: true })
  expect(readCacheControl('no-store')).toEqual({ read: false, store: false })
  expect(readCacheControl('max-age=5m')).toEqual({ read: true, store: true, maxAgeMs: 300_000 })
  expect(() => readCacheControl('forever')).toThrow(SelectorError)
})

describe('selectors in memory', () => {
  const row: Resource = {
    id: '0190aaaa-0000-7000-8000-000000000001',
    name: 'web-1',
    type: 'Kubernetes::Pod',
    status: 'Running',
    labels: { app: 'web', tier: 'front' },
    tags: { namespace: 'shop', cluster: 'eu' },
    agent_id: '0190aaaa-0000-7000-8000-00000000000a',
    agent_name: 'edge',
    scraper_id: '0190aaaa-0000-7000-8000-00000000000b',
    parent: { name: 'kube' },
    external_id: ['x', 'y'],
    config_class: 'Pod',
    properties: [{ name: 'team', text: 'blue' }],
  }
  const matches = (selector: Parameters<typeof readSelector>[0], changes: Partial<Resource> = {}) =>
    matchesSelector('configs', readSelector({ agent: 'all', ...selector }), { ...row, ...changes })
  test('an empty one means nothing', () => {
    expect(matchesSelector('configs', readSelector({}), { ...row, agent_id: null })).toBe(false)
    expect(
      matchesSelector('configs', readSelector({ includeDeleted: true, cache: 'no-cache' }), { ...row, agent_id: null }),
    ).toBe(false)
    expect(selectorWhere('configs', [readSelector({})])).toEqual({ text: 'false', values: [] })
  })
  test('every part must hold', () => {
    expect(
      matches({
        name: 'web-1',
        namespace: 'shop',
        types: ['Kubernetes::*'],
        statuses: ['Running'],
        labelSelector: 'app=web',
        tagSelector: 'cluster in (eu, us)',
        fieldSelector: 'config_class=Pod',
      }),
    ).toBe(true)
    for (const wrong of [
      { name: 'web' },
      { namespace: 'x' },
      { types: ['!Kubernetes*'] },
      { statuses: ['x'] },
      { labelSelector: '!app' },
      { tagSelector: 'cluster!=eu' },
      { fieldSelector: 'external_id=z' },
      { search: 'eb-1' },
      { id: 'nonsense' },
    ]) {
      expect(matches({ name: 'web-1', ...wrong })).toBe(false)
    }
  })
  test('fields, properties and nil', () => {
    expect(matches({ fieldSelector: 'external_id=y' })).toBe(true)
    expect(matches({ fieldSelector: 'team=blue' })).toBe(true)
    expect(matches({ fieldSelector: 'team!=blue' })).toBe(false)
    expect(
      matchesSelector('components', readSelector({ fieldSelector: 'parent_id=nil' }), { id: row.id, parent_id: null }),
    ).toBe(true)
    expect(
      matchesSelector('components', readSelector({ fieldSelector: 'parent_id=nil' }), {
        id: row.id,
        parent_id: row.id,
      }),
    ).toBe(false)
  })
  test('agents, scopes, search and deleted rows', () => {
    expect(matchesSelector('configs', readSelector({ name: 'web-1' }), row)).toBe(false)
    expect(matchesSelector('configs', readSelector({ name: 'web-1', agent: 'edge' }), row)).toBe(true)
    expect(matchesSelector('configs', readSelector({ name: 'web-1', agent: row.agent_id! }), row)).toBe(true)
    expect(matchesSelector('configs', readSelector({ name: 'web-1', agent: 'self' }), { ...row, agent_id: null })).toBe(
      true,
    )
    expect([matches({ scope: row.scraper_id as string }), matches({ scope: 'kube' }), matches({ scope: 'x' })]).toEqual(
      [true, true, false],
    )
    expect([
      matches({ search: 'WEB' }),
      matches({ search: 'fro' }),
      matches({ search: 'sho' }),
      matches({ search: 'zzz' }),
    ]).toEqual([true, true, true, false])
    expect([
      matches({ name: 'web-1' }, { deleted_at: new Date() }),
      matches({ name: 'web-1', includeDeleted: true }, { deleted_at: new Date() }),
    ]).toEqual([false, true])
  })
  test('old keys of component documents', () => {
    expect(matches({ class: 'Pod', type: 'Kubernetes::Pod', tags: { cluster: 'eu' }, external_id: 'x' })).toBe(true)
    expect(matches({ class: 'Node' })).toBe(false)
  })
})

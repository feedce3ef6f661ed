import {
  absoluteRange,
  mappedRanges,
  relativeRange,
  relativeRanges,
  type TimeRange,
} from '@quarterdeck/contract/time-range'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  enumOf,
  flag,
  json,
  labelPairs,
  list,
  number,
  optional,
  searchParams,
  sorting,
  text,
  timeRange,
  triState,
  triStateMap,
} from './search-params.ts'

const declared = searchParams({
  query: text(''),
  groupBy: text('canary_name'),
  status: text('', { dropAll: true }),
  checkId: optional(),
  hidePassing: flag(true),
  pageIndex: number(0, { min: 0 }),
  layout: enumOf(['table', 'card'], 'table'),
  labels: triStateMap(),
  configTypes: triState({}, 'type'),
  jobStatus: triState({ SUCCESS: -1 }),
  columns: list(['name']),
  pairs: labelPairs(),
  view: json<{ zoom: number }>(
    { zoom: 1 },
    (v): v is { zoom: number } => typeof v === 'object' && v !== null && 'zoom' in v,
  ),
  time: timeRange(relativeRange('2d')),
  sort: sorting({ id: 'type', desc: false }),
})

const safe = fc.string({ maxLength: 12 }).filter((s) => !/[|_]/.test(s))
const sign = fc.constantFrom(1 as const, -1 as const)
const range: fc.Arbitrary<TimeRange> = fc.oneof(
  fc.constantFrom(...relativeRanges.map((r) => relativeRange(r.range))),
  fc.constantFrom(...mappedRanges.map(({ display }): TimeRange => ({ type: 'mapped', display }))),
  fc
    .tuple(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }), fc.nat())
    .map(([d, n]) => absoluteRange(d, new Date(+d + n))),
)
const values = fc.record({
  query: fc.string(),
  groupBy: fc.string({ minLength: 1 }),
  status: fc.string().filter((s) => s.toLowerCase() !== 'all'),
  checkId: fc.option(fc.uuid(), { nil: undefined }),
  hidePassing: fc.boolean(),
  pageIndex: fc.nat(),
  layout: fc.constantFrom('table' as const, 'card' as const),
  labels: fc.dictionary(fc.string(), sign),
  configTypes: fc.dictionary(
    safe.filter((s) => s !== '' && !s.includes(':')).map((s) => `Kind::${s}`),
    sign,
  ),
  jobStatus: fc.dictionary(safe.filter(Boolean), sign, { minKeys: 1 }),
  columns: fc.array(safe.filter(Boolean), { minLength: 1 }),
  pairs: fc.dictionary(
    safe.filter((s) => s !== ''),
    safe.filter((s) => s !== ''),
  ),
  view: fc.record({ zoom: fc.integer() }),
  time: range,
  sort: fc.record({ id: fc.string({ minLength: 1 }), desc: fc.boolean() }),
})

describe('filters in the address', () => {
  test('what is written is read back', () => {
    fc.assert(
      fc.property(values, (v) => {
        const address = declared.write(v).toString()
        expect(declared.read(address)).toEqual(JSON.parse(JSON.stringify(v), (_, x: unknown) => x))
      }),
    )
  })

  test('reading any address gives values that survive another round', () => {
    const junk = fc.array(
      fc.tuple(
        fc.constantFrom(
          'query',
          'labels',
          'pageIndex',
          'time',
          'rangeType',
          'range',
          'from',
          'sortBy',
          'view',
          'configTypes',
          'x',
        ),
        fc.string(),
      ),
    )
    fc.assert(
      fc.property(junk, (pairs) => {
        const once = declared.read(new URLSearchParams(pairs))
        const twice = declared.read(declared.write(once))
        expect(Object.keys(twice)).toEqual(Object.keys(once))
      }),
    )
  })

  test('defaults stay out of the address', () => {
    expect(declared.write(declared.defaults).toString()).toBe('')
    expect(declared.write({ query: '', groupBy: 'canary_name', hidePassing: true }).toString()).toBe('')
  })

  test('the choice all, and an empty value, remove the parameter', () => {
    expect(declared.write({ status: 'all' }, 'status=open').toString()).toBe('')
    expect(declared.write({ status: '' }, 'status=open').toString()).toBe('')
    // Only where it is a choice: somebody may search for the word.
    expect(declared.write({ query: 'all' }).toString()).toBe('query=all')
  })

  test('parameters of others stay', () => {
    expect(declared.write({ query: 'web' }, 'tab=history&query=db').toString()).toBe('tab=history&query=web')
  })

  test('damaged values read as the default', () => {
    const read = declared.read(
      'labels={&pageIndex=abc&layout=round&view=3&hidePassing=maybe&rangeType=mapped&display=x',
    )
    expect(read).toEqual(declared.defaults)
  })

  test('[TIME-07] choosing a range writes its parameters and clears those of the other kinds', () => {
    let address = declared.write(
      { time: absoluteRange(new Date('2024-08-01T00:00:00Z'), new Date('2024-08-02T00:00:00Z')) },
      'name=x',
    )
    expect(Object.fromEntries(address)).toEqual({
      name: 'x',
      rangeType: 'absolute',
      display: 'Custom',
      from: '2024-08-01T00:00:00.000Z',
      to: '2024-08-02T00:00:00.000Z',
    })
    address = declared.write({ time: relativeRange('6h') }, address)
    expect(Object.fromEntries(address)).toEqual({
      name: 'x',
      rangeType: 'relative',
      display: '6 hours',
      range: 'now-6h',
      timeRange: '6h',
    })
    address = declared.write({ time: { type: 'mapped', display: 'Yesterday' } }, address)
    expect(Object.fromEntries(address)).toEqual({ name: 'x', rangeType: 'mapped', display: 'Yesterday' })
  })

  test('examples of the other encodings', () => {
    expect(declared.write({ pairs: { app: 'web', tier: 'front' } }).get('pairs')).toBe('app__:__web,tier__:__front')
    expect(declared.read('pairs=app__:__,x').pairs).toEqual({})
    expect(declared.write({ configTypes: { 'Kubernetes::Pod': 1 } }).get('configTypes')).toBe('Kubernetes__Pod:1')
    expect(declared.read('').jobStatus).toEqual({ SUCCESS: -1 })
    expect(declared.write({ sort: { id: 'name', desc: true } }).toString()).toBe('sortBy=name&sortOrder=desc')
    expect(declared.write({ sort: undefined }, 'sortBy=name&sortOrder=desc').toString()).toBe('')
    const health = searchParams({ sort: sorting(undefined, { descFlag: true }) })
    expect(health.write({ sort: { id: 'uptime', desc: true } }).toString()).toBe('sortBy=uptime&sortDesc=true')
  })

  test('counts what differs from the defaults', () => {
    expect(declared.countActive(declared.defaults)).toBe(0)
    expect(declared.countActive({ ...declared.defaults, query: 'x', time: relativeRange('6h') })).toBe(2)
    expect(declared.countActive({ ...declared.defaults, query: 'x', time: relativeRange('6h') }, ['query'])).toBe(1)
  })
})

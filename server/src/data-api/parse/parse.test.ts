import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { parseAccept } from './accept.ts'
import { parseCsv } from './csv.ts'
import { dateMath } from './date-math.ts'
import { parseOrder } from './order.ts'
import { parsePrefer } from './prefer.ts'
import { parseQuery } from './query.ts'
import { rowRange } from './range.ts'
import { parseSelect } from './select.ts'

const select = (text: string) => parseSelect(text, defaultLimits)
const order = (text: string) => parseOrder(text, defaultLimits)
const query = (text: string) => parseQuery(text, { limits: defaultLimits, now: () => new Date('2024-08-29T10:00:00Z') })

describe('select', () => {
  test('columns, aliases, paths, casts, aggregates', () => {
    expect(select('id,n:name,data->a->>b::int,x:pages.sum()::text,count()')).toEqual([
      { kind: 'field', name: 'id' },
      { kind: 'field', name: 'name', alias: 'n' },
      { kind: 'field', name: 'data', path: { keys: ['a', 'b'], text: true }, cast: 'int' },
      { kind: 'field', name: 'pages', alias: 'x', aggregate: 'sum', aggregateCast: 'text' },
      { kind: 'count' },
    ])
  })
  test('keys with dots and slashes, quoted names', () => {
    expect(select('labels->>app.kubernetes.io/name,"a,b":"c\\"d"')).toEqual([
      { kind: 'field', name: 'labels', path: { keys: ['app.kubernetes.io/name'], text: true } },
      { kind: 'field', name: 'c"d', alias: 'a,b' },
    ])
    expect(select('x:data->total.sum()')).toEqual([
      { kind: 'field', name: 'data', alias: 'x', path: { keys: ['total'], text: false }, aggregate: 'sum' },
    ])
  })
  test('embeds with hints, joins, spread and blanks', () => {
    expect(select('*, a:b!fk!inner( id, ...c(d) ),e()')).toEqual([
      { kind: 'star' },
      {
        kind: 'embed',
        target: 'b',
        alias: 'a',
        hint: 'fk',
        join: 'inner',
        spread: false,
        items: [
          { kind: 'field', name: 'id' },
          { kind: 'embed', target: 'c', spread: true, items: [{ kind: 'field', name: 'd' }] },
        ],
      },
      { kind: 'embed', target: 'e', spread: false, items: [] },
    ])
  })
  test('an empty one means everything, one closing parenthesis too many is overlooked', () => {
    expect(select('')).toEqual([{ kind: 'star' }])
    expect(select('id)')).toEqual([{ kind: 'field', name: 'id' }])
    expect(() => select('id))')).toThrow('failed to parse select parameter (id)))')
  })
})

describe('order', () => {
  test('directions, nulls, paths, related columns', () => {
    expect(order('a, b.desc,c.asc.nullsfirst,d.nullslast,e->>f.g.desc,r(h->i).desc')).toEqual([
      { name: 'a', descending: false },
      { name: 'b', descending: true },
      { name: 'c', descending: false, nulls: 'first' },
      { name: 'd', descending: false, nulls: 'last' },
      { name: 'e', path: { keys: ['f.g'], text: true }, descending: true },
      { embed: 'r', name: 'h', path: { keys: ['i'], text: false }, descending: true },
    ])
  })
})

describe('queries', () => {
  test('keep values apart, so that equal shapes are equal', () => {
    const one = query('id=eq.1&or=(a.eq.x,b.in.(1,2))&labels->>k=eq.v&limit=5')
    const two = query('id=eq.2&or=(a.eq.y,b.in.(3))&labels->>other=eq.w&limit=50&offset=9')
    expect(one.shape).toBe(two.shape)
    expect(one.values).toEqual(['1', 'x', ['1', '2'], ['k'], 'v'])
    expect(query('id=eq.1').shape).not.toBe(query('id=gt.1').shape)
    expect(query('id=eq.1').shape).not.toBe(query('id=not.eq.1').shape)
    expect(query('id=is.null').shape).not.toBe(query('id=is.true').shape)
  })
  test('paths of embedded resources', () => {
    const { filters, orders, ranges } = query('a.b.c=eq.1&a.order=x&a.limit=3&a.not.or=(d.eq.1)&"q.r".s=eq.1')
    expect(filters.map((f) => f.path)).toEqual([['a', 'b'], ['a'], ['q.r']])
    expect(orders).toMatchObject([{ path: ['a'], terms: [{ name: 'x' }] }])
    expect(ranges).toMatchObject([{ path: ['a'] }])
  })
  test('.filter becomes conditions', () => {
    expect(query('status.filter=a,b').filters[0]!.logic).toMatchObject({ op: 'in' })
    expect(query('status.filter=!a').filters[0]!.logic).toMatchObject({ kind: 'and', not: true, items: [{ op: 'in' }] })
    const mixed = query('status.filter=a,b*,!c,*d*')
    expect(mixed.values).toEqual([['a'], ['b%', '%d%'], ['c']])
    const dated = query('created_at.filter=>now-1d')
    expect([dated.filters[0]!.logic, dated.values]).toMatchObject([{ op: 'gt' }, ['2024-08-28T10:00:00.000Z']])
    expect(query('status.filter=').filters).toEqual([])
    expect(query('status.filter=50%25_').values).toEqual([['50%_']])
    expect(query('status.filter=50%25_*').values).toEqual([['50\\%\\_%']])
  })
  test('quotes in lists, escaped or not', () => {
    expect(query('a=in.("x,y","z\\"w",plain)').values).toEqual([['x,y', 'z"w', 'plain']])
    expect(query('a=in.("say "hi"",b)').values).toEqual([['say "hi"', 'b']])
    expect(query('a=in.("open,b)').values).toEqual([['"open', 'b']])
    expect(query('a=in.(x,)').values).toEqual([['x', '']])
  })
  test.each([
    'a=eq.%',
    'a=eq.%00',
    'a=1',
    'a=foo.1',
    'or=(a.eq.1',
    'or=a.eq.1',
    'limit=x',
    'a..b=eq.1',
    '=eq.1',
    'a->=eq.1',
  ])('%s is refused', (text) => {
    expect(() => query(text)).toThrow(expect.objectContaining({ status: 400, code: 'PGRST100' }))
  })
})

describe('dates', () => {
  const now = new Date('2024-05-31T10:20:30.400Z')
  test.each([
    ['now', '2024-05-31T10:20:30.400Z'],
    ['now-20h', '2024-05-30T14:20:30.400Z'],
    ['now/d', '2024-05-31T00:00:00.000Z'],
    ['now-1M', '2024-04-30T10:20:30.400Z'],
    ['now-1mo', '2024-04-30T10:20:30.400Z'],
    ['now+1y/y', '2025-01-01T00:00:00.000Z'],
    ['now/w', '2024-05-27T00:00:00.000Z'],
    ['now-1d/d', '2024-05-30T00:00:00.000Z'],
    ['now/h', '2024-05-31T10:00:00.000Z'],
    ['now/m', '2024-05-31T10:20:00.000Z'],
    ['now/s', '2024-05-31T10:20:30.000Z'],
    ['now-d', '2024-05-30T10:20:30.400Z'],
    ['2024-08-29', '2024-08-29T00:00:00.000Z'],
    ['2024-08-29T10:00:00+02:00', '2024-08-29T08:00:00.000Z'],
    ['2024-08-29 10:00', '2024-08-29T10:00:00.000Z'],
    ['2024-08-29||-1M/M', '2024-07-01T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(dateMath(text, now)?.toISOString()).toBe(expected)
  })
  test.each([
    '',
    'soon',
    'now-',
    'now-1',
    'now-1x',
    'now/2d',
    '2024-13-01',
    '2024-02-31T99:00:00Z',
    'now-99999y',
    'now1d',
  ])('%s is none', (text) => {
    expect(dateMath(text, now)).toBeUndefined()
  })
})

describe('headers', () => {
  test('Prefer: the first of each kind, unknown ones only matter when strict', () => {
    expect(parsePrefer('return=minimal, count=exact;return=x,count=planned , max-affected=3')).toMatchObject({
      return: 'minimal',
      count: 'planned',
      maxAffected: 3,
    })
    expect(parsePrefer(['count=exact', 'tx=rollback'])).toEqual({ count: 'exact', tx: 'rollback' })
    expect(() => parsePrefer('handling=strict,nope=1')).toThrow(expect.objectContaining({ code: 'PGRST122' }))
  })
  test('Accept: by weight, then by place', () => {
    expect(parseAccept(undefined, false).kind).toBe('array')
    expect(parseAccept('text/csv;q=0.1, application/vnd.pgrst.object+json;nulls=stripped', false)).toEqual({
      kind: 'object',
      stripNulls: true,
    })
    expect(() => parseAccept('image/png, text/csv;q=0', false)).toThrow(expect.objectContaining({ status: 406 }))
    expect(parseAccept('application/openapi+json', true).kind).toBe('openapi')
  })
  test('Range meets limit and offset', () => {
    expect(rowRange(undefined, undefined, undefined, undefined)).toEqual({ offset: 0, limit: undefined })
    expect(rowRange(10, 5, '0-7', undefined)).toEqual({ offset: 5, limit: 3 })
    expect(rowRange(undefined, undefined, '3-', 'items')).toEqual({ offset: 3, limit: undefined })
    expect(rowRange(undefined, undefined, '3-', 'bytes')).toEqual({ offset: 0, limit: undefined })
    expect(rowRange(1, 0, '5-9', undefined)).toEqual({ offset: 5, limit: 0 })
  })
})

describe('CSV', () => {
  test('quotes, doubled quotes, line ends', () => {
    expect(parseCsv('a,b\r\n"x, ""y""\nz",2\n,')).toEqual([
      ['a', 'b'],
      ['x, "y"\nz', '2'],
      ['', ''],
    ])
    expect(parseCsv('a\n')).toEqual([['a']])
    expect(parseCsv('"a')).toBeUndefined()
    expect(parseCsv('"a"b')).toBeUndefined()
  })
})

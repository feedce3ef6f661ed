import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { from, rpc, settled, totalOf, where } from './data-api.ts'

const calls: { address: string; init: RequestInit }[] = []
let answer: () => Response

beforeEach(() => {
  calls.length = 0
  answer = () => Response.json([])
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    calls.push({ address, init })
    return Promise.resolve(answer())
  })
})
afterEach(() => vi.unstubAllGlobals())

const written = (query: { toString(): string }) => decodeURIComponent(query.toString().replaceAll('+', ' '))

describe('questions to the data API', () => {
  test('[API-03] filters, columns, order and paging are a filter-style query string', async () => {
    const query = from('check_statuses')
      .select('time,status')
      .eq('check_id', 'c1')
      .where('time', 'gt', new Date('2024-08-29T10:00:00Z'))
      .where('duration', 'gte', 500)
      .where('time', 'lt', '2024-08-30')
      .oneOf('status', ['1', '0'])
      .order('time.desc')
      .page({ pageIndex: 2, pageSize: 50 })
    expect(written(query)).toBe(
      '/check_statuses?select=time,status&check_id=eq.c1&time=gt.2024-08-29T10:00:00.000Z&duration=gte.500' +
        '&time=lt.2024-08-30&status=in.(1,0)&order=time.desc&limit=50&offset=100',
    )
    await query.rows()
    expect(calls[0]!.address).toBe(`/api/db${query.toString()}`)
  })

  test('a search for text with commas, quotes or parentheses stays one value', () => {
    expect(written(from('x').oneOf('name', ['a,b', 'c"d', '(e)', 'f\\g', 'plain', '']))).toBe(
      String.raw`/x?name=in.("a,b","c\"d","(e)","f\\g",plain,"")`,
    )
    expect(written(from('x').anyOf(where.contains('name', 'a&b'), where.contains('type', 'c,d')))).toBe(
      '/x?or=(name.ilike.*a&b*,type.ilike."*c,d*")',
    )
    expect(from('x').eq('name', 'a&b=c#d').toString()).toBe('/x?name=eq.a%26b%3Dc%23d')
  })

  test('tri-state lists go to the filter parameter, empty ones nowhere', () => {
    expect(written(from('configs').triState('status', '!Running').triState('health', ''))).toBe(
      '/configs?status.filter=!Running',
    )
  })

  test('a query is not changed by the queries made from it', () => {
    const all = from('agents').select('*')
    all.eq('id', '1')
    expect(written(all)).toBe('/agents?select=*')
    expect(written(all.when('', (query, name) => query.eq('name', name)))).toBe('/agents?select=*')
    expect(written(all.when('x', (query, name) => query.eq('name', name)))).toBe('/agents?select=*&name=eq.x')
  })

  test('functions take arguments as parameters', () => {
    expect(written(rpc('related', { config_id: '1', depth: 10, none: undefined }).eq('type', 'Pod'))).toBe(
      '/rpc/related?config_id=1&depth=10&type=eq.Pod',
    )
  })

  test('[API-04] a counted read asks for the exact count and answers data, totalEntries and error', async () => {
    answer = () => Response.json([{ id: 1 }], { status: 206, headers: { 'Content-Range': '0-0/1234' } })
    await expect(from('agents').paged()).resolves.toEqual({ data: [{ id: 1 }], totalEntries: 1234, error: null })
    expect((calls[0]!.init.headers as Record<string, string>).Prefer).toMatch(/\bcount=exact\b/)

    answer = () => Response.json({ message: 'no' }, { status: 500 })
    const failed = await settled(from('agents').paged())
    expect(failed).toMatchObject({ data: null, totalEntries: undefined, error: { status: 500, message: 'no' } })
  })

  test.each([
    ['0-49/1234', 1234],
    ['*/0', 0],
    ['0-24/*', undefined],
    ['*/*', undefined],
    ['', undefined],
  ])('Content-Range %s has the total %s', (range, total) => {
    expect(totalOf(new Headers({ 'Content-Range': range }))).toBe(total)
  })

  test('a page behind the end is an empty page', async () => {
    answer = () => Response.json({ code: 'PGRST103', message: 'Requested range not satisfiable' }, { status: 416 })
    await expect(from('agents').page({ pageIndex: 9, pageSize: 50 }).paged()).resolves.toMatchObject({ data: [] })
  })

  test('first answers one row or null', async () => {
    await expect(from('agents').first()).resolves.toBeNull()
    answer = () => Response.json([{ id: 1 }, { id: 2 }])
    await expect(from('agents').first()).resolves.toEqual({ id: 1 })
  })

  test('a change or removal without a condition is never sent', async () => {
    await expect(from('agents').select('*').update({ name: 'x' })).rejects.toThrow('needs a condition')
    await expect(from('agents').limit(1).remove()).rejects.toThrow('needs a condition')
    expect(calls).toEqual([])
    await from('agents').eq('id', '1').update({ deleted_at: 'now()' })
    expect(calls[0]).toMatchObject({ address: '/api/db/agents?id=eq.1', init: { method: 'PATCH' } })
  })
})

import { PostgrestClient } from '@supabase/postgrest-js'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { createLibrary, libraryRules } from './library.ts'
import { type TestApi, testApi } from './testing.ts'

/** The real client of PostgREST servers, over real HTTP. */

let api: TestApi
let client: PostgrestClient
beforeAll(async () => {
  const db = await testDatabase({ empty: true })
  await createLibrary(db)
  api = await testApi(db, { rules: libraryRules })
  const address = await api.app.listen({ host: '127.0.0.1', port: 0 })
  client = new PostgrestClient(`${address}/api/db`)
})
const books = () => client.from('books')
const ids = async (query: PromiseLike<{ data: unknown; error: unknown }>) => {
  const { data, error } = await query
  expect(error).toBeNull()
  return (data as { id: number }[]).map((row) => row.id)
}

describe('reads', () => {
  test('filters of every form', async () => {
    const q = () => books().select('id').order('id')
    expect(await ids(q().eq('title', 'Fire, "hot"'))).toEqual([4])
    expect(await ids(q().neq('pages', 100))).toEqual([2, 4])
    expect(await ids(q().gt('pages', 50).lte('pages', 100))).toEqual([1])
    expect(await ids(q().gte('pages', 100).lt('pages', 250))).toEqual([1])
    expect(await ids(q().like('title', '%a%'))).toEqual([1, 2])
    expect(await ids(q().ilike('title', '%A%'))).toEqual([1, 2, 3])
    expect(await ids(q().likeAnyOf('title', ['S%', 'L%']))).toEqual([1, 2])
    expect(await ids(q().ilikeAllOf('title', ['%a%', '%N%']))).toEqual([2])
    expect(await ids(q().is('pages', null))).toEqual([3])
    expect(await ids(q().is('in_print', true))).toEqual([1, 4])
    expect(await ids(q().in('title', ['Sea', 'Fire, "hot"', 'Air (100%)']))).toEqual([1, 3, 4])
    expect(await ids(q().in('id', []))).toEqual([])
    expect(await ids(q().contains('tags', ['water']))).toEqual([1, 4])
    expect(await ids(q().contains('data', { shelf: { row: 1 } }))).toEqual([2])
    expect(await ids(q().containedBy('tags', ['salt', 'water']))).toEqual([1, 3, 4])
    expect(await ids(q().overlaps('tags', ['earth']))).toEqual([2])
    expect(await ids(q().textSearch('vector', 'rolling waves', { type: 'plain', config: 'english' }))).toEqual([1])
    expect(await ids(q().textSearch('vector', 'wave'))).toEqual([1, 4])
    expect(await ids(q().not('id', 'in', '(1,2)'))).toEqual([3, 4])
    expect(await ids(q().or('id.eq.1,and(pages.gt.200,title.eq.Land)'))).toEqual([1, 2])
    expect(await ids(q().match({ title: 'Sea', pages: 100 }))).toEqual([1])
    expect(await ids(q().filter('data->shelf->>row', 'eq', '3'))).toEqual([1])
    expect(await ids(client.from('loans').select('id').order('id').rangeGt('days', '[1,5)'))).toEqual([2])
    expect(await ids(client.from('loans').select('id').order('id').rangeAdjacent('days', '[5,9)'))).toEqual([1])
  })
  test('order, range, limit and counts', async () => {
    const page = await books()
      .select('id', { count: 'exact' })
      .order('pages', { ascending: false, nullsFirst: false })
      .range(1, 2)
    expect([page.status, page.count, page.data]).toEqual([206, 4, [{ id: 1 }, { id: 4 }]])
    const head = await books().select('*', { count: 'exact', head: true })
    expect([head.count, head.data]).toEqual([4, null])
    expect((await books().select('id').limit(1)).data).toHaveLength(1)
    expect((await books().select('*', { count: 'planned' })).count).toBeGreaterThan(0)
    expect((await books().select('*', { count: 'estimated' })).count).toBe(4)
  })
  test('one row, perhaps one row, CSV, and explained errors', async () => {
    expect((await books().select('id').eq('id', 1).single()).data).toEqual({ id: 1 })
    expect((await books().select('id').eq('id', 99).maybeSingle()).data).toBeNull()
    expect((await books().select('id').eq('id', 99).single()).error?.code).toBe('PGRST116')
    expect((await books().select('id').order('id').csv()).data).toBe('id\n1\n2\n3\n4')
    const wrong = await books().select('nope')
    expect([wrong.status, wrong.error?.code, wrong.error?.message]).toEqual([
      400,
      '42703',
      'column books.nope does not exist',
    ])
    expect((await client.from('nope').select()).status).toBe(404)
  })
  test('embeds, their filters, order and limit', async () => {
    const { data } = await client
      .from('authors')
      .select('name, books!author_id(id, genres(name))')
      .eq('id', 1)
      .order('id', { referencedTable: 'books', ascending: false })
      .limit(1, { referencedTable: 'books' })
    expect(data).toEqual([{ name: 'Ann', books: [{ id: 2, genres: [] }] }])
    const inner = await client.from('authors').select('id, books!author_id!inner(title)').eq('books.title', 'Land')
    expect(inner.data).toEqual([{ id: 1, books: [{ title: 'Land' }] }])
    const either = await client
      .from('authors')
      .select('id, books!author_id(id)')
      .eq('id', 1)
      .or('id.eq.2,pages.eq.1', { referencedTable: 'books' })
    expect(either.data).toEqual([{ id: 1, books: [{ id: 2 }] }])
    const ambiguous = await books().select('authors(name)')
    expect([ambiguous.status, ambiguous.error?.code]).toEqual([300, 'PGRST201'])
  })
})

describe('writes', () => {
  test('insert, upsert, update, delete', async () => {
    const one = await client.from('genres').insert({ id: 101, name: 'a' }).select().single()
    expect([one.status, one.data]).toEqual([201, { id: 101, name: 'a' }])
    const many = await client.from('genres').insert(
      [
        { id: 102, name: 'b' },
        { id: 103, name: 'c' },
      ],
      { count: 'exact' },
    )
    expect([many.status, many.count, many.data]).toEqual([201, 2, null])
    const merged = await client
      .from('genres')
      .upsert([
        { id: 103, name: 'd' },
        { id: 104, name: 'e' },
      ])
      .select('name')
      .order('name')
    expect(merged.data).toEqual([{ name: 'd' }, { name: 'e' }])
    const ignored = await client
      .from('genres')
      .upsert({ id: 103, name: 'x' }, { onConflict: 'id', ignoreDuplicates: true })
      .select()
    expect(ignored.data).toEqual([])
    const updated = await client.from('genres').update({ name: 'z' }).gte('id', 103).select('id').order('id')
    expect(updated.data).toEqual([{ id: 103 }, { id: 104 }])
    const missing = await client
      .from('books')
      .insert([{ title: 'x', pages: 3 }, { title: 'y' } as never], { defaultToNull: false })
      .select('title,pages,in_print')
    expect(missing.data).toEqual([
      { title: 'x', pages: 3, in_print: true },
      { title: 'y', pages: null, in_print: true },
    ])
    const deleted = await client.from('genres').delete({ count: 'exact' }).gte('id', 101)
    expect([deleted.status, deleted.count]).toEqual([204, 4])
    const duplicate = await client.from('genres').insert({ id: 1, name: 'dup' })
    expect([duplicate.status, duplicate.error?.code]).toEqual([409, '23505'])
    const all = await client.from('genres').delete()
    expect(all.status).toBe(400)
  })
})

describe('functions', () => {
  test('by POST, by GET and by HEAD', async () => {
    expect((await client.rpc('add', { a: 1, b: 2 })).data).toBe(3)
    expect((await client.rpc('add', { a: 1, b: 2 }, { get: true })).data).toBe(3)
    const rows = await client.rpc('books_of', { author: 1 }, { count: 'exact' }).select('id').gt('pages', 100)
    expect([rows.data, rows.count]).toEqual([[{ id: 2 }], 1])
    expect((await client.rpc('titles', {}, { head: true, count: 'exact' })).count).toBeGreaterThan(3)
    expect((await client.rpc('nothing')).status).toBe(204)
    expect((await client.rpc('nope')).error?.code).toBe('PGRST202')
  })
})

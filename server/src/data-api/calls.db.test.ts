import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { createLibrary, libraryRules } from './library.ts'
import { type TestApi, testApi } from './testing.ts'

let api: TestApi
beforeAll(async () => {
  const db = await testDatabase({ empty: true })
  await createLibrary(db)
  api = await testApi(db, { rules: libraryRules })
})
const call = (name: string, body?: unknown, options = {}) => api.send('POST', `/rpc/${name}`, { body, ...options })

describe('functions', () => {
  test('give rows that can be selected from, filtered, ordered, paged and counted', async () => {
    expect((await api.get('/rpc/books_of?author=1&select=id,title')).json).toEqual([
      { id: 1, title: 'Sea' },
      { id: 2, title: 'Land' },
    ])
    expect((await api.get('/rpc/books_of?author=1&min_pages=200&select=id')).json).toEqual([{ id: 2 }])
    expect((await api.get('/rpc/books_of?author=1&select=id&title=like.S*')).json).toEqual([{ id: 1 }])
    const page = await api.get('/rpc/books_of?author=1&select=id,author_id(name),loans(id)&order=id.desc&limit=1', {
      prefer: 'count=exact',
    })
    expect([page.status, page.headers['content-range'], page.json]).toEqual([
      206,
      '0-0/2',
      [{ id: 2, author_id: { name: 'Ann' }, loans: [{ id: 3 }] }],
    ])
    expect((await call('books_of?select=id&order=id.desc', { author: 1 })).json).toEqual([{ id: 2 }, { id: 1 }])
    const counted = await call('books_of?select=id&limit=1', { author: 1, min_pages: 0 }, { prefer: 'count=exact' })
    expect([counted.status, counted.headers['content-range']]).toEqual([206, '0-0/2'])
    expect((await api.get('/rpc/titles?pages=gt.100')).json).toEqual([{ title: 'Land', pages: 250 }])
    expect((await api.send('HEAD', '/rpc/titles', { prefer: 'count=exact' })).headers['content-range']).toBe('0-3/4')
  })
  test('give one row, one value, values or nothing', async () => {
    expect((await api.get('/rpc/first_book?select=id,title')).json).toEqual({ id: 1, title: 'Sea' })
    expect((await api.get('/rpc/add?a=1&b=2')).json).toBe(3)
    expect((await call('add', { a: 1, b: '5' })).json).toBe(6)
    expect((await api.get('/rpc/numbers?upto=4&limit=2&offset=1')).json).toEqual([2, 3])
    const nothing = await call('nothing')
    expect([nothing.status, nothing.text]).toEqual([204, ''])
    expect((await api.get('/rpc/titles', { headers: { accept: 'text/csv' } })).text.split('\n')[0]).toBe('title,pages')
    expect(
      (await api.get('/rpc/titles?limit=1', { headers: { accept: 'application/vnd.pgrst.object+json' } })).json,
    ).toEqual({ title: 'Sea', pages: 100 })
  })
  test('take the whole body, a form, or a list of values', async () => {
    expect((await call('echo', { any: [1, 'x'] })).json).toEqual({ any: [1, 'x'] })
    expect((await call('echo', [1, 2])).json).toEqual([1, 2])
    expect((await call('echo', '"text"')).json).toBe('text')
    expect(
      (await call('add', 'a=4&b=5', { headers: { 'content-type': 'application/x-www-form-urlencoded' } })).json,
    ).toBe(9)
    expect((await api.get('/rpc/join_words?words=a&words=b')).json).toBe('a b')
    expect((await call('join_words', { words: ['c', 'd'] })).json).toBe('c d')
  })
  test('are chosen by the names of their arguments', async () => {
    expect((await api.get('/rpc/over?a=1&b=2')).json).toBe('two')
    expect((await api.get('/rpc/over?a=1&c=x')).json).toBe('three')
    const unclear = await api.get('/rpc/over?a=1')
    expect([unclear.status, unclear.object.code]).toEqual([300, 'PGRST203'])
  })
  test('that change something take POST', async () => {
    const read = await api.get('/rpc/rename_author?who=3&to_name=Cyd')
    expect([read.status, read.object.code]).toEqual([405, 'PGRST117'])
    expect((await call('rename_author?select=name', { who: 3, to_name: 'Cyd' })).json).toEqual([{ name: 'Cyd' }])
    expect((await api.send('DELETE', '/rpc/add?a=1&b=2')).status).toBe(405)
  })
  test('that fit nothing answer 404 with a hint', async () => {
    const answer = await api.get('/rpc/book_of?author=1')
    expect(answer.status).toBe(404)
    expect(answer.object).toMatchObject({
      code: 'PGRST202',
      message: 'Could not find the function public.book_of(author) in the schema cache',
      hint: 'Perhaps you meant to call the function public.books_of(author, min_pages)',
    })
    expect((await api.get('/rpc/books_of')).object.code).toBe('PGRST202')
    expect((await api.get('/rpc/books_of?author=1&nope=5')).object.code).toBe('PGRST202')
    expect((await call('books_of', { author: 1, nope: 2 })).object.code).toBe('PGRST202')
    expect((await call('add', [1, 2])).object.code).toBe('PGRST202')
    expect((await api.get('/rpc/inner_work')).object.code).toBe('PGRST202')
  })
  test.each<[string, number]>([
    ['P0001', 400],
    ['P0002', 400],
    ['PT418', 418],
    ['22023', 400],
    ['23505', 409],
    ['28000', 403],
    ['40001', 409],
    ['42501', 403],
    ['53300', 503],
    ['55P03', 409],
    ['57014', 504],
    ['XX000', 500],
  ])('that raise %s answer %d', async (code, status) => {
    const answer = await call('fails', { code, message: 'because' })
    expect([answer.status, answer.object.code]).toEqual([status, code])
    expect(answer.object.message === 'because').toBe(status < 500)
  })
  test('refuse wrong values, and selects on what has no columns', async () => {
    expect((await api.get('/rpc/add?a=x&b=2')).object.code).toBe('22P02')
    expect((await call('add', { a: {}, b: 1 })).object.code).toBe('22P02')
    expect((await call('add', '{"a":')).object.code).toBe('PGRST102')
    expect((await api.get('/rpc/add?a=1&b=2&select=x')).object.code).toBe('PGRST100')
    expect((await api.get('/rpc/books_of?author=1&nope=eq.1')).object.code).toBe('42703')
    expect((await call('echo', '<a/>', { headers: { 'content-type': 'text/xml' } })).status).toBe(415)
  })
})

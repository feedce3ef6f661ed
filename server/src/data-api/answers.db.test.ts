import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { createLibrary, libraryRules } from './library.ts'
import { type TestApi, testApi } from './testing.ts'

let api: TestApi
const db = await testDatabase({ empty: true })
beforeAll(async () => {
  await createLibrary(db)
  await db.query(`insert into genres select n, 'genre ' || n from generate_series(10, 3009) n; analyze genres`)
  api = await testApi(db, { rules: libraryRules })
})

describe('rows', () => {
  const odd = 'a "b"\\ \n\t\u2028 ü 🙂 </script> \u0001 \u007f'
  beforeAll(async () => {
    await db.query(
      `insert into books (id, title, price, data, raw, tags, in_print) values (50, $1, 'NaN', $2, $3, $4, null)`,
      [odd, JSON.stringify({ [odd]: [odd, null, 1e30] }), '{"a" : 1, "a" : 2}', [odd, '']],
    )
    await db.query(`insert into types (id, big, real8, stamp, "odd name") values
      (gen_random_uuid(), -9223372036854775808, 'Infinity', 'infinity', 'x'), (gen_random_uuid(), null, 'NaN', null, null)`)
  })
  afterAll(() => db.query('delete from books where id = 50; delete from types where real8 <> 1.5'))
  test.each([
    ['books', 'id,title,author_id,pages,price,binding,in_print,tags,data,raw,added,vector,size'],
    ['types', 'id,big,real8,stamp,wait,ip,blob'],
    ['types', '*'],
    ['loans', '*'],
    ['vaults', 'id,name,created_by'],
    ['book_report', 'book,loans'],
  ])('%s: values of every type are as PostgreSQL writes them', async (relation, columns) => {
    const { rows } = await api.get(`/${relation}?select=${columns}&order=${columns.split(',')[0]!.replace('*', 'id')}`)
    const order = columns === '*' ? 'id' : columns.split(',')[0]
    const { written } = await db.one<{ written: unknown }>(
      `select json_agg(t) as written from (select ${columns} from ${relation} order by ${order}) t`,
    )
    expect(rows).toEqual(written)
  })
  test('embedded rows, chosen parts and other names go along', async () => {
    const { rows } = await api.get(
      '/books?id=in.(1,4)&order=id&select=name:title,row:data->shelf->row,label:data->shelf->>label,pages::text,author:authors!author_id(name),genres(name)',
    )
    expect(rows).toEqual([
      {
        name: 'Sea',
        row: 3,
        label: 'A,1',
        pages: '100',
        author: { name: 'Ann' },
        genres: [{ name: 'calm' }, { name: 'wild' }],
      },
      expect.objectContaining({
        name: 'Fire, "hot"',
        row: null,
        label: null,
        author: null,
        genres: [{ name: 'wild' }],
      }),
    ])
  })
})

describe('ranges and counts', () => {
  test('every list says its range, with or without a total', async () => {
    const plain = await api.get('/books')
    expect([plain.status, plain.headers['content-range'], plain.headers['range-unit']]).toEqual([200, '0-3/*', 'items'])
    expect((await api.get('/books?id=eq.77')).headers['content-range']).toBe('*/*')
    const none = await api.get('/books?id=eq.77', { prefer: 'count=exact' })
    expect([none.status, none.headers['content-range'], none.headers['preference-applied']]).toEqual([
      200,
      '*/0',
      'count=exact',
    ])
  })
  test.each([
    ['limit=2', '', 206, '0-1/4', 2],
    ['limit=2&offset=3', '', 206, '3-3/4', 1],
    ['offset=4', '', 206, '*/4', 0],
    ['limit=0', '', 206, '*/4', 0],
    ['limit=10', '', 200, '0-3/4', 4],
    ['limit=', '', 200, '0-3/4', 4],
    ['', '0-1', 206, '0-1/4', 2],
    ['', '2-', 206, '2-3/4', 2],
    ['', 'items=1-2', 206, '1-2/4', 2],
    ['limit=1&offset=1', '0-2', 206, '1-1/4', 1],
    ['', 'bytes=0-1', 200, '0-3/4', 4],
  ])('%s with Range %s answers %d and %s', async (query, range, status, expected, length) => {
    const answer = await api.get(`/books?order=id&${query}`, { prefer: 'count=exact', headers: range ? { range } : {} })
    expect([answer.status, answer.headers['content-range'], answer.rows.length]).toEqual([status, expected, length])
  })
  test('an offset beyond the total is a 416, a backward range too', async () => {
    const beyond = await api.get('/books?offset=100', { prefer: 'count=exact' })
    expect([beyond.status, beyond.object.code, beyond.object.details]).toEqual([
      416,
      'PGRST103',
      'An offset of 100 was requested, but there are only 4 rows.',
    ])
    expect((await api.get('/books?offset=100')).status).toBe(200)
    expect((await api.get('/books', { headers: { range: '5-2' } })).status).toBe(416)
  })
  test('never more rows than the cap, in lists and in embedded lists', async () => {
    const answer = await api.get('/genres', { prefer: 'count=exact' })
    expect([answer.status, answer.headers['content-range'], answer.rows.length]).toEqual([206, '0-1999/3003', 2000])
    expect((await api.get('/genres?limit=5000')).rows).toHaveLength(2000)
  })
  test('planned asks the planner, estimated counts up to the cap', async () => {
    const planned = await api.get('/genres?limit=1&id=gt.5', { prefer: 'count=planned' })
    expect(planned.status).toBe(206)
    expect(Number(planned.headers['content-range']!.split('/')[1])).toBeGreaterThan(2000)
    const few = await api.get('/genres?limit=1&id=lt.500', { prefer: 'count=estimated' })
    expect(few.headers['content-range']).toBe('0-0/493')
    const many = await api.get('/genres?limit=1', { prefer: 'count=estimated' })
    expect(Number(many.headers['content-range']!.split('/')[1])).toBeGreaterThan(2000)
    const wrong = await api.get('/books?title=eq.Sea', { prefer: 'count=planned' })
    expect([wrong.status, Number(wrong.headers['content-range']!.split('/')[1]) >= 1]).toEqual([200, true])
  })
})

describe('media types', () => {
  const object = { accept: 'application/vnd.pgrst.object+json' }
  test('one object, when there is exactly one row', async () => {
    const one = await api.get('/books?select=id&id=eq.1', { headers: object })
    expect([one.status, one.headers['content-type'], one.text]).toEqual([
      200,
      'application/vnd.pgrst.object+json; charset=utf-8',
      '{"id":1}',
    ])
    for (const [url, n] of [
      ['/books', 4],
      ['/books?id=eq.77', 0],
    ] as const) {
      const answer = await api.get(url, { headers: object })
      expect([answer.status, answer.object.code, answer.object.details]).toEqual([
        406,
        'PGRST116',
        `The result contains ${n} rows`,
      ])
    }
  })
  test('without nulls', async () => {
    const one = await api.get('/books?select=id,pages,data&id=eq.3', {
      headers: { accept: 'application/vnd.pgrst.object+json;nulls=stripped' },
    })
    expect(one.text).toBe('{"id":3}')
    const list = await api.get('/books?select=id,pages&id=eq.3', {
      headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
    })
    expect(list.json).toEqual([{ id: 3 }])
  })
  test('CSV', async () => {
    const answer = await api.get('/books?select=id,title,data->shelf,"n":pages&order=id', {
      headers: { accept: 'text/csv' },
    })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.text.split('\n')).toEqual([
      'id,title,shelf,n',
      '1,Sea,"{""row"": 3, ""label"": ""A,1""}",100',
      '2,Land,"{""row"": 1}",250',
      '3,Air (100%),,',
      '4,"Fire, ""hot""",null,50',
    ])
    expect((await api.get('/books?select=id&id=eq.77', { headers: { accept: 'text/csv' } })).text).toBe('id')
  })
  test.each([
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json; charset=utf-8'],
    ['application/json, text/plain, */*', 'application/json; charset=utf-8'],
    ['text/csv;q=0.5, application/json;q=0.9', 'application/json; charset=utf-8'],
    ['application/json;q=0.5, text/csv', 'text/csv; charset=utf-8'],
  ])('%s is answered with %s', async (accept, type) => {
    expect((await api.get('/books', { headers: { accept } })).headers['content-type']).toBe(type)
  })
  test('nothing else', async () => {
    const answer = await api.get('/books', { headers: { accept: 'image/png' } })
    expect([answer.status, answer.object.code]).toEqual([406, 'PGRST107'])
  })
})

describe('other methods', () => {
  test('HEAD answers the headers alone', async () => {
    const answer = await api.send('HEAD', '/books?limit=2', { prefer: 'count=exact' })
    expect([answer.status, answer.headers['content-range'], answer.text]).toEqual([206, '0-1/4', ''])
  })
  test('OPTIONS tells what the caller may do', async () => {
    expect((await api.send('OPTIONS', '/books')).headers.allow).toBe('OPTIONS, GET, HEAD, POST, PUT, PATCH, DELETE')
    expect((await api.send('OPTIONS', '/books', { as: 'viewer' })).headers.allow).toBe('OPTIONS, GET, HEAD')
    expect((await api.send('OPTIONS', '/book_list')).headers.allow).toBe('OPTIONS, GET, HEAD')
    expect((await api.send('OPTIONS', '/rpc/add')).headers.allow).toBe('OPTIONS, GET, HEAD, POST')
    expect((await api.send('OPTIONS', '/nope')).status).toBe(404)
  })
  test('the root describes what the caller may see', async () => {
    const admin = await api.get('/')
    expect(admin.headers['content-type']).toBe('application/openapi+json; charset=utf-8')
    const description = admin.object as {
      paths: Record<string, object>
      definitions: Record<string, { properties: object }>
    }
    expect(Object.keys(description.paths['/books']!)).toEqual(['get', 'post', 'patch', 'delete'])
    expect(description.paths).toHaveProperty('/rpc/books_of')
    expect(description.definitions.books!.properties).toMatchObject({
      id: { type: 'number', description: expect.stringContaining('<pk/>') },
    })
    const viewer = (await api.get('', { as: 'viewer' })).object as typeof description
    expect(Object.keys(viewer.paths['/books']!)).toEqual(['get'])
    for (const hidden of ['/audit', '/closed', '/rpc/audits', '/rpc/inner_work'])
      expect(viewer.paths).not.toHaveProperty(hidden)
    expect((await api.post('/', {})).status).toBe(405)
  })
  test('there is one schema', async () => {
    expect((await api.get('/books', { headers: { 'accept-profile': 'public' } })).status).toBe(200)
    const other = await api.get('/books', { headers: { 'accept-profile': 'pg_catalog' } })
    expect([other.status, other.object.code]).toEqual([406, 'PGRST106'])
  })
  test('unknown preferences matter only with handling=strict', async () => {
    expect((await api.get('/books', { prefer: 'speed=fast, count=exact' })).headers['content-range']).toBe('0-3/4')
    const strict = await api.get('/books', { prefer: 'handling=strict, speed=fast' })
    expect([strict.status, strict.object.code, strict.object.details]).toEqual([
      400,
      'PGRST122',
      'Invalid preferences: speed=fast',
    ])
    expect((await api.get('/books', { prefer: 'handling=strict, count=exact' })).headers['preference-applied']).toBe(
      'count=exact, handling=strict',
    )
  })
  test('duplicate parameters: the last order, limit and select count, filters add up', async () => {
    const answer = await api.get(
      '/books?select=title&order=id.asc&&order=id.desc&limit=1&limit=2&select=id&id=gt.1&id=lt.4&',
    )
    expect(answer.json).toEqual([{ id: 3 }, { id: 2 }])
  })
})

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../platform/errors.ts'
import { type TestDatabase, testDatabase } from '../testing/database.ts'
import { createLibrary, libraryRules } from './library.ts'
import { actor, type TestApi, testApi } from './testing.ts'

let db: TestDatabase
let api: TestApi
beforeAll(async () => {
  db = await testDatabase({ empty: true })
  await createLibrary(db)
  api = await testApi(db, { rules: libraryRules })
})
beforeEach(async () => {
  await db.query(`delete from books where id > 4; delete from authors where id > 3; delete from genres where id > 3`)
})
const minimal = { prefer: 'return=minimal' }

describe('insert', () => {
  test('one row, with defaults and the acting person as creator', async () => {
    const answer = await api.post('/authors?select=name,created_by', { name: 'Dee' })
    expect([answer.status, answer.json]).toEqual([201, [{ name: 'Dee', created_by: actor }]])
    expect([answer.headers['content-range'], answer.headers['preference-applied']]).toEqual([
      '*/*',
      'return=representation',
    ])
    expect((await api.post('/authors?select=created_by', { name: 'Eve', created_by: null })).json).toEqual([
      { created_by: null },
    ])
  })
  test('many rows, counted', async () => {
    const answer = await api.post(
      '/genres',
      [
        { id: 11, name: 'a' },
        { name: 'b', id: 12 },
      ],
      { prefer: 'return=representation,count=exact' },
    )
    expect([answer.status, answer.headers['content-range'], answer.rows.length]).toEqual([201, '*/2', 2])
  })
  test('answers nothing, or where the row is', async () => {
    const quiet = await api.post('/genres', { id: 13, name: 'c' }, minimal)
    expect([quiet.status, quiet.text, quiet.headers['content-type']]).toEqual([201, '', undefined])
    expect((await api.send('POST', '/genres', { body: { id: 14, name: 'c' } })).text).toBe('')
    const pointed = await api.post('/genres', { id: 15, name: 'c' }, { prefer: 'return=headers-only' })
    expect([pointed.status, pointed.text, pointed.headers.location]).toEqual([201, '', '/genres?id=eq.15'])
    const two = await api.post('/book_genres', { book_id: 3, genre_id: 3 }, { prefer: 'return=headers-only' })
    expect(two.headers.location).toBe('/book_genres?book_id=eq.3&genre_id=eq.3')
    await api.delete('/book_genres?book_id=eq.3')
  })
  test('embeds what the new row points to', async () => {
    const answer = await api.post('/books?select=title,size,author_id(name),loans(id)', {
      title: 'New',
      author_id: 1,
      pages: 7,
    })
    expect(answer.json).toEqual([{ title: 'New', size: 14, author_id: { name: 'Ann' }, loans: [] }])
  })
  test('of every kind of value', async () => {
    const row = {
      title: 'T',
      tags: ['a', 'b"c,'],
      data: { deep: [1, { x: null }] },
      raw: [1],
      binding: 'hard',
      price: '12.345',
      in_print: false,
      added: '2024-05-05T00:00:00+02:00',
    }
    const answer = await api.post('/books?select=title,tags,data,raw,binding,price,in_print,added', row)
    expect(answer.json).toEqual([{ ...row, price: 12.35, added: '2024-05-04T22:00:00+00:00' }])
    expect((await api.post('/books?select=added', { title: 'now', added: 'now()' })).rows[0]!.added).toMatch(/^20\d\d-/)
  })
  test('keeps every digit', async () => {
    const id = '018f0000-0000-7000-8000-0000000000b1'
    await api.send('POST', '/types', { body: `{"id":"${id}","big":9007199254740995}` })
    expect((await api.get(`/types?select=big&id=eq.${id}`)).text).toBe('[{"big":9007199254740995}]')
  })
  test('of nothing: an empty list inserts none, an empty object only defaults', async () => {
    expect((await api.post('/genres', [])).json).toEqual([])
    expect((await api.post('/authors', {})).object.code).toBe('23502')
  })
  test('columns= picks, missing=default fills', async () => {
    const rows = [{ title: 'A', pages: 1, junk: true }, { title: 'B' }]
    const picked = await api.post('/books?columns=title,pages,in_print&select=title,pages,in_print', rows)
    expect(picked.json).toEqual([
      { title: 'A', pages: 1, in_print: null },
      { title: 'B', pages: null, in_print: null },
    ])
    const filled = await api.post('/books?columns=title,pages,in_print&select=title,in_print', rows, {
      prefer: 'return=representation, missing=default',
    })
    expect(filled.json).toEqual([
      { title: 'A', in_print: true },
      { title: 'B', in_print: true },
    ])
  })
  test('from CSV and from a form', async () => {
    const csv = await api.send('POST', '/books?select=title,pages,data', {
      prefer: 'return=representation',
      headers: { 'content-type': 'text/csv' },
      body: 'title,pages,data\r\n"A, ""b""",5,"{""x"":1}"\nC,NULL,NULL\n',
    })
    expect(csv.json).toEqual([
      { title: 'A, "b"', pages: 5, data: { x: 1 } },
      { title: 'C', pages: null, data: null },
    ])
    const form = await api.send('POST', '/books?select=title,pages', {
      prefer: 'return=representation',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'title=D%26E&pages=7',
    })
    expect(form.json).toEqual([{ title: 'D&E', pages: 7 }])
  })
  test('answers one object or CSV when asked', async () => {
    const one = await api.post(
      '/genres',
      { id: 20, name: 'x' },
      { headers: { accept: 'application/vnd.pgrst.object+json' } },
    )
    expect(one.json).toEqual({ id: 20, name: 'x' })
    const two = await api.post(
      '/genres',
      [
        { id: 21, name: 'x' },
        { id: 22, name: 'y' },
      ],
      { headers: { accept: 'application/vnd.pgrst.object+json' } },
    )
    expect([two.status, (await api.get('/genres?id=gte.21')).rows]).toEqual([406, []])
    expect((await api.post('/genres', { id: 23, name: 'x' }, { headers: { accept: 'text/csv' } })).text).toBe(
      'id,name\n23,x',
    )
  })
})

describe('upsert', () => {
  const merge = { prefer: 'return=representation, resolution=merge-duplicates' }
  const ignore = { prefer: 'return=representation, resolution=ignore-duplicates' }
  test('merges or ignores duplicates by the primary key', async () => {
    const first = await api.post('/genres', [{ id: 30, name: 'new' }], merge)
    expect([first.status, first.headers['preference-applied']]).toEqual([
      201,
      'return=representation, resolution=merge-duplicates',
    ])
    const again = await api.post('/genres', [{ id: 30, name: 'changed' }], merge)
    expect([again.status, again.json]).toEqual([200, [{ id: 30, name: 'changed' }]])
    const mixed = await api.post(
      '/genres',
      [
        { id: 30, name: 'x' },
        { id: 31, name: 'y' },
      ],
      merge,
    )
    expect([mixed.status, mixed.rows.length]).toEqual([201, 2])
    const ignored = await api.post(
      '/genres',
      [
        { id: 30, name: 'z' },
        { id: 32, name: 'w' },
      ],
      ignore,
    )
    expect([ignored.status, ignored.json]).toEqual([201, [{ id: 32, name: 'w' }]])
  })
  test('by other columns, keeping who created the row', async () => {
    const [created] = (await api.post('/authors', { name: 'Flo', created_by: null })).rows
    const answer = await api.post(
      '/authors?on_conflict=name&select=id,born,created_by',
      { name: 'Flo', born: '1999-01-01' },
      merge,
    )
    expect(answer.json).toEqual([{ id: created!.id, born: '1999-01-01', created_by: null }])
    expect((await api.post('/authors?on_conflict=nope', { name: 'G' }, merge)).object.code).toBe('PGRST204')
    expect((await api.post('/authors?on_conflict=born', { name: 'G' }, merge)).object.code).toBe('42P10')
  })
  test('PUT writes the one row its key names', async () => {
    const put = (url: string, body: unknown, prefer = 'return=representation') => api.send('PUT', url, { body, prefer })
    expect((await put('/genres?id=eq.40', { id: 40, name: 'put' })).status).toBe(201)
    const again = await put('/genres?id=eq.40', { id: 40, name: 'again' })
    expect([again.status, again.json]).toEqual([200, [{ id: 40, name: 'again' }]])
    expect((await put('/genres?id=eq.40', { id: 40, name: 'again' }, 'return=minimal')).status).toBe(204)
    expect((await put('/genres?id=eq.41', { id: 40, name: 'x' })).object.code).toBe('PGRST115')
    expect((await put('/genres?name=eq.x', { id: 40, name: 'x' })).object.code).toBe('PGRST105')
    expect((await put('/genres?id=gt.40', { id: 40, name: 'x' })).object.code).toBe('PGRST105')
    expect((await put('/genres?id=eq.40&limit=1', { id: 40, name: 'x' })).object.code).toBe('PGRST114')
    expect(
      (
        await put('/genres?id=eq.40', [
          { id: 40, name: 'x' },
          { id: 41, name: 'x' },
        ])
      ).object.code,
    ).toBe('PGRST102')
  })
})

describe('update and delete', () => {
  test('touch what the filters name and answer it', async () => {
    await api.post('/genres', [
      { id: 50, name: 'a' },
      { id: 51, name: 'b' },
    ])
    const updated = await api.patch('/genres?id=gte.50&select=name&order=name.desc', { name: 'z' })
    expect([updated.status, updated.json, updated.headers['content-range']]).toEqual([
      200,
      [{ name: 'z' }, { name: 'z' }],
      '0-1/*',
    ])
    expect((await api.patch('/genres?id=eq.50', { name: 'y' }, minimal)).status).toBe(204)
    const deleted = await api.delete('/genres?name=in.(z,y)', { prefer: 'return=representation,count=exact' })
    expect([deleted.status, deleted.rows.length, deleted.headers['content-range']]).toEqual([200, 2, '*/2'])
    expect((await api.delete('/genres?id=eq.50', minimal)).status).toBe(204)
  })
  test('matching nothing is no mistake', async () => {
    const updated = await api.patch('/genres?id=eq.999', { name: 'z' })
    expect([updated.status, updated.json, updated.headers['content-range']]).toEqual([200, [], '*/*'])
    expect((await api.delete('/genres?id=eq.999')).json).toEqual([])
    expect((await api.patch('/genres?id=eq.1', {})).json).toEqual([])
  })
  test('a row sent back whole is fine, computed columns included', async () => {
    const [row] = (await api.get('/books?id=eq.1')).rows
    const answer = await api.patch('/books?id=eq.1', { ...row, title: 'Sea' })
    expect([answer.status, answer.json]).toEqual([200, [row]])
  })
  test('can be chosen through another relation and answer with what they point to', async () => {
    const answer = await api.patch('/books?select=id,author_id(name)&loans.returned=is.false', { title: 'Sea' })
    expect(answer.json).toEqual([{ id: 1, author_id: { name: 'Ann' } }])
    const filtered = await api.patch('/books?select=id,loans(id)&id=eq.1&loans.returned=is.false', { title: 'Sea' })
    expect(filtered.json).toEqual([{ id: 1, loans: [{ id: 2 }] }])
  })
  test.each(['PATCH', 'DELETE'])('%s of every row must be asked for', async (method) => {
    const answer = await api.send(method, '/genres', { body: { name: 'all' } })
    expect([answer.status, answer.object.code]).toEqual([400, '21000'])
    expect((await api.send(method, '/genres?select=*,books()&books.id=eq.1', { body: { name: 'all' } })).status).toBe(
      400,
    )
    expect((await api.send(method, '/genres?id=eq.1&limit=1', { body: { name: 'all' } })).object.code).toBe('PGRST100')
  })
  test('max-affected and one-object answers undo what went too far', async () => {
    await api.post('/genres', [
      { id: 60, name: 'a' },
      { id: 61, name: 'a' },
    ])
    const strict = await api.patch('/genres?id=gte.60', { name: 'b' }, { prefer: 'handling=strict, max-affected=1' })
    expect([strict.status, strict.object.code]).toEqual([400, 'PGRST124'])
    const lenient = await api.patch('/genres?id=gte.60', { name: 'c' }, { prefer: 'max-affected=1' })
    expect(lenient.status).toBe(204)
    const single = await api.delete('/genres?id=gte.60', { headers: { accept: 'application/vnd.pgrst.object+json' } })
    expect([single.status, (await api.get('/genres?id=gte.60&select=name')).json]).toEqual([
      406,
      [{ name: 'c' }, { name: 'c' }],
    ])
  })
  test('tx=rollback shows what would be and leaves it', async () => {
    const answer = await api.patch(
      '/genres?id=eq.1',
      { name: 'tried' },
      { prefer: 'return=representation, tx=rollback' },
    )
    expect([answer.json, answer.headers['preference-applied']]).toEqual([
      [{ id: 1, name: 'tried' }],
      'return=representation, tx=rollback',
    ])
    expect((await api.get('/genres?id=eq.1&select=name')).json).toEqual([{ name: 'calm' }])
  })
  test('triggers know who acts', async () => {
    const answer = await api.post('/loans?select=note', { book_id: 1 })
    expect(answer.json).toEqual([{ note: actor }])
  })
})

describe('refusals', () => {
  test.each<[string, string, string, unknown, number, string]>([
    ['an unknown column', 'POST', '/genres', { id: 70, nope: 1 }, 400, 'PGRST204'],
    ['an unknown column in an update', 'PATCH', '/genres?id=eq.1', { nope: 1 }, 400, 'PGRST204'],
    ['an unknown column in columns=', 'POST', '/genres?columns=id,nope', { id: 70 }, 400, 'PGRST204'],
    ['a wrong type', 'POST', '/genres', { id: 'x', name: 'a' }, 400, '22P02'],
    ['a missing value', 'POST', '/genres', { id: 70 }, 400, '23502'],
    ['a broken rule', 'POST', '/books', { title: 'x', pages: -1 }, 400, '23514'],
    ['a duplicate', 'POST', '/genres', { id: 1, name: 'x' }, 409, '23505'],
    ['a reference to nothing', 'POST', '/books', { title: 'x', author_id: 999 }, 409, '23503'],
    ['a reference still needed', 'DELETE', '/authors?id=eq.1', undefined, 409, '23503'],
    ['rows of different keys', 'POST', '/genres', [{ id: 70, name: 'a' }, { id: 71 }], 400, 'PGRST102'],
    ['no body', 'POST', '/genres', '', 400, 'PGRST102'],
    ['broken JSON', 'POST', '/genres', '{"id":', 400, 'PGRST102'],
    ['a number', 'POST', '/genres', '5', 400, 'PGRST102'],
    ['a list of numbers', 'POST', '/genres', '[5]', 400, 'PGRST102'],
    ['two rows to update with', 'PATCH', '/genres?id=eq.1', '[{"name":"a"},{"name":"b"}]', 400, 'PGRST102'],
    ['a NUL character', 'POST', '/genres', '{"id":70,"name":"a\\u0000b"}', 400, '22P05'],
    ['half a character', 'POST', '/genres', '{"id":70,"name":"\\ud800"}', 400, '22P02'],
    ['a view', 'POST', '/book_list', { id: 1 }, 405, 'PGRST117'],
    ['an unknown table', 'POST', '/nope', { id: 1 }, 404, 'PGRST205'],
    ['a hidden table', 'POST', '/closed', { id: 1 }, 404, 'PGRST205'],
  ])('%s', async (_, method, url, body, status, code) => {
    const answer = await api.send(method, url, { body, prefer: 'return=representation' })
    expect([answer.status, answer.object.code]).toEqual([status, code])
    expect(Object.keys(answer.object).sort()).toEqual(['code', 'details', 'hint', 'message'])
  })
  test('a body that is not UTF-8, or of another type', async () => {
    expect((await api.send('POST', '/genres', { body: Buffer.from([0x22, 0xff, 0x22]) })).object.code).toBe('PGRST102')
    const xml = await api.send('POST', '/genres', { body: '<a/>', headers: { 'content-type': 'application/xml' } })
    expect([xml.status, xml.object.code]).toEqual([415, 'PGRST102'])
    const csv = await api.send('POST', '/genres', { body: 'id,name\n1', headers: { 'content-type': 'text/csv' } })
    expect(csv.object.message).toBe('All lines must have same number of fields')
    const cell = await api.send('POST', '/books', { body: 'title,data\na,{', headers: { 'content-type': 'text/csv' } })
    expect([cell.status, cell.object.code]).toEqual([400, 'PGRST102'])
  })
  test('nothing of a refused bulk insert stays', async () => {
    await api.post('/genres', [
      { id: 80, name: 'a' },
      { id: 1, name: 'dup' },
    ])
    expect((await api.get('/genres?id=eq.80')).json).toEqual([])
  })
  test('values of a failing row are not repeated', async () => {
    const answer = await api.post('/books', { title: 'hunter2', pages: -1 })
    expect(answer.text).not.toContain('hunter2')
  })
})

describe('hooks', () => {
  test('look at a write before it, in its transaction, and may rewrite or refuse it', async () => {
    const own = await testApi(db, { rules: libraryRules })
    const seen: unknown[] = []
    own.beforeWrite('genres', async ({ kind, rows, targets, principal, sql }) => {
      seen.push([kind, rows, await targets(), principal.id])
      if (rows[0]?.name === 'forbidden') throw new AppError(422, 'no_way', 'Not this one')
      await sql.run(`insert into audit values (99, 'by hook') on conflict do nothing`)
      if (kind !== 'delete') return { rows: rows.map((row) => ({ ...row, name: `${String(row.name)}!` })) }
    })
    const inserted = await own.post('/genres', { id: 90, name: 'a' })
    expect(inserted.json).toEqual([{ id: 90, name: 'a!' }])
    expect((await own.patch('/genres?id=eq.90', { name: 'b' })).json).toEqual([{ id: 90, name: 'b!' }])
    expect((await own.delete('/genres?id=eq.90')).rows).toHaveLength(1)
    expect(seen).toEqual([
      ['insert', [{ id: 90, name: 'a' }], [], actor],
      ['update', [{ name: 'b' }], [{ id: 90, name: 'a!' }], actor],
      ['delete', [], [{ id: 90, name: 'b!' }], actor],
    ])
    await db.query('delete from audit where id = 99')
    const refused = await own.post('/genres', { id: 91, name: 'forbidden' })
    expect([refused.status, refused.object]).toEqual([
      422,
      { code: 'no_way', message: 'Not this one', details: null, hint: null },
    ])
    const failing = await own.post('/genres', { id: 1, name: 'dup' })
    expect([failing.status, (await db.query('select 1 from audit where id = 99')).length]).toEqual([409, 0])
  })
  test('see the rows that an upsert will change, by whatever key it finds them', async () => {
    const own = await testApi(db, { rules: libraryRules })
    const seen: unknown[] = []
    own.beforeWrite('authors', async ({ targets }) => {
      seen.push((await targets<{ id: number }>()).map((row) => row.id))
    })
    const upsert = (url: string, body: unknown, resolution = 'merge') =>
      own.post(url, body, { prefer: `return=representation, resolution=${resolution}-duplicates, tx=rollback` })
    expect((await upsert('/authors?on_conflict=name', [{ name: 'Ann' }, { name: 'Zed' }])).status).toBe(201)
    await upsert('/authors?on_conflict=name', [{ name: 'Bob', born: '1960-01-01' }])
    await upsert('/authors', { id: 2, name: 'Bob' })
    await upsert('/authors', { name: 'new' })
    await upsert('/authors', { id: 2, name: 'Bob' }, 'ignore')
    expect(seen).toEqual([[], [2], [2], [], []])
  })
  test('follow a write with the rows it made, and can undo it', async () => {
    const own = await testApi(db, { rules: libraryRules })
    const seen: unknown[] = []
    own.afterWrite('genres', ({ kind, rows }) => {
      seen.push([kind, rows])
      if (rows.some((row) => row.name === 'undo')) throw new AppError(400, 'undone', 'Undone')
    })
    await own.post(
      '/genres',
      [
        { id: 92, name: 'a' },
        { id: 93, name: 'b' },
      ],
      { prefer: 'return=minimal' },
    )
    await own.delete('/genres?id=gte.92')
    expect(seen).toEqual([
      [
        'insert',
        [
          { id: 92, name: 'a' },
          { id: 93, name: 'b' },
        ],
      ],
      [
        'delete',
        [
          { id: 92, name: 'a' },
          { id: 93, name: 'b' },
        ],
      ],
    ])
    expect((await own.post('/genres', { id: 94, name: 'undo' })).object.code).toBe('undone')
    expect((await own.get('/genres?id=eq.94')).json).toEqual([])
  })
})

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
const rows = async (url: string) => {
  const answer = await api.get(url)
  expect(answer.object).toEqual({})
  return answer.rows
}

describe('how a resource is named', () => {
  test('by a foreign key column, wherever it is', async () => {
    expect(await rows('/books?select=id,author_id(name)&id=eq.1')).toEqual([{ id: 1, author_id: { name: 'Ann' } }])
    expect(await rows('/books?select=id,writer:author_id(name),editor_id(name)&id=eq.1')).toEqual([
      { id: 1, writer: { name: 'Ann' }, editor_id: { name: 'Bob' } },
    ])
    expect(await rows('/book_list?select=id,writer_id(name)&id=eq.1')).toEqual([{ id: 1, writer_id: { name: 'Ann' } }])
  })
  test('by relation, with a hint when there are several ways', async () => {
    expect(await rows('/books?select=authors!books_editor_fkey(name)&id=eq.1')).toEqual([{ authors: { name: 'Bob' } }])
    expect(await rows('/books?select=authors!author_id(name)&id=eq.1')).toEqual([{ authors: { name: 'Ann' } }])
    expect(await rows('/authors?select=books!author_id(id)&id=eq.1')).toEqual([{ books: [{ id: 1 }, { id: 2 }] }])
    expect(await rows('/authors?select=edited:books!books_editor_fkey(id)&id=eq.1')).toEqual([{ edited: [{ id: 3 }] }])
    expect(await rows('/loans?select=id,books(title)&id=eq.1')).toEqual([{ id: 1, books: { title: 'Sea' } }])
  })
  test('by the name of the foreign key', async () => {
    expect(await rows('/books?select=books_editor_fkey(name)&id=eq.1')).toEqual([
      { books_editor_fkey: { name: 'Bob' } },
    ])
  })
  test('views stand in for their tables on both sides', async () => {
    expect(await rows('/books?select=id,author_names!author_id(name)&id=eq.1')).toEqual([
      { id: 1, author_names: { name: 'Ann' } },
    ])
    expect(await rows('/book_list?select=id,authors(name),loans(id)&id=eq.1')).toEqual([
      { id: 1, authors: { name: 'Ann' }, loans: [{ id: 1 }, { id: 2 }] },
    ])
    expect(await rows('/loans?select=book_list(title)&id=eq.1')).toEqual([{ book_list: { title: 'Sea' } }])
    expect(await rows('/book_report?select=loans,books(title)&book=eq.1')).toEqual([
      { loans: 2, books: { title: 'Sea' } },
    ])
    expect(await rows('/book_report?select=book,list:book_list(title)&book=eq.2')).toEqual([
      { book: 2, list: { title: 'Land' } },
    ])
  })
  test('an ambiguous name lists the candidates and answers 300', async () => {
    const answer = await api.get('/books?select=authors(name)')
    expect(answer.status).toBe(300)
    expect(answer.object).toMatchObject({
      code: 'PGRST201',
      message: `Could not embed because more than one relationship was found for 'books' and 'authors'`,
    })
    expect(answer.object.details).toContain(
      'many-to-one from books to authors by books_editor_fkey using books(editor_id) and authors(id)',
    )
    expect(answer.object.hint).toContain(`'authors!books_author_id_fkey', 'authors!books_editor_fkey'`)
  })
  test('a mistyped name gets a hint', async () => {
    const answer = await api.get('/books?select=genre(name)')
    expect(answer.object).toMatchObject({ code: 'PGRST200', hint: `Perhaps you meant 'genres' instead of 'genre'.` })
  })
  test('a relation that points to itself: the column is the one, a hint is the many', async () => {
    expect(await rows('/nodes?select=id,parent_id(id)&id=eq.2')).toEqual([{ id: 2, parent_id: { id: 1 } }])
    expect(await rows('/nodes?select=id,children:nodes!parent_id(id)&id=eq.1')).toEqual([
      { id: 1, children: [{ id: 2 }, { id: 3 }] },
    ])
    expect((await api.get('/nodes?select=id,nodes(id)')).status).toBe(300)
  })
})

describe('shapes', () => {
  test('one to one is an object both ways, to one without a row is null', async () => {
    expect(await rows('/books?select=id,book_details(summary)&id=in.(1,4)&order=id')).toEqual([
      { id: 1, book_details: { summary: 'salty' } },
      { id: 4, book_details: null },
    ])
    expect(await rows('/book_details?select=books(id)&book_id=eq.1')).toEqual([{ books: { id: 1 } }])
  })
  test('through a link table, both ways, and explicitly', async () => {
    expect(await rows('/books?select=id,genres(name)&id=in.(1,2)&order=id')).toEqual([
      { id: 1, genres: [{ name: 'calm' }, { name: 'wild' }] },
      { id: 2, genres: [] },
    ])
    expect(await rows('/genres?select=name,books(title)&id=eq.2')).toEqual([
      { name: 'wild', books: [{ title: 'Sea' }, { title: 'Fire, "hot"' }] },
    ])
    expect(await rows('/books?select=genres:book_genres(genres(name))&id=eq.4')).toEqual([
      { genres: [{ genres: { name: 'wild' } }] },
    ])
    expect(await rows('/books?select=genres!book_genres(name)&id=eq.4')).toEqual([{ genres: [{ name: 'wild' }] }])
  })
  test('nested to any depth', async () => {
    const [row] = await rows(
      '/loans?select=id,books(id,author_id(id,books!author_id(id,genres(id,books(id,author_id(name))))))&id=eq.1',
    )
    expect(row).toMatchObject({
      books: {
        author_id: {
          books: [
            { id: 1, genres: [{ id: 1, books: [{ id: 1, author_id: { name: 'Ann' } }] }, { id: 2 }] },
            { id: 2, genres: [] },
          ],
        },
      },
    })
  })
  test('an embed replaces the column of its name, an alias likewise; of repeated columns there is one', async () => {
    const [row] = await rows('/books?select=*,author_id(name),pages:title,id,id&id=eq.1')
    expect(row).toMatchObject({ author_id: { name: 'Ann' }, pages: 'Sea', id: 1 })
    expect(
      (await api.get('/books?select=*,author_id(name),id,id&id=eq.1')).text.match(/"author_id"|"id"/g),
    ).toHaveLength(2)
    expect(await rows('/books?select=author_id(name),author_id&id=eq.1')).toEqual([{ author_id: 1 }])
  })
  test('blanks after commas and one parenthesis too many are fine', async () => {
    expect(await rows('/books?select=id, title,author_id( id, name ))&id=eq.1')).toEqual([
      { id: 1, title: 'Sea', author_id: { id: 1, name: 'Ann' } },
    ])
  })
  test('casts and quoted names', async () => {
    expect(await rows('/books?select=id::text,price::int,p:pages::numeric&id=eq.1')).toEqual([
      { id: '1', price: 10, p: 100 },
    ])
    expect(await rows('/types?select="odd name","we\\"ird",x:"odd name"&"odd name"=eq.odd')).toEqual([
      { 'odd name': 'odd', 'we"ird': 'quoted', x: 'odd' },
    ])
  })
  test('no digit is lost', async () => {
    expect((await api.get('/types?select=big')).text).toBe('[{"big":9007199254740993}]')
  })
})

describe('filters, order and range of embedded resources', () => {
  test('narrow the embedded list and leave the parents', async () => {
    expect(await rows('/authors?select=id,books!author_id(id)&books.pages=gt.100&order=id')).toEqual([
      { id: 1, books: [{ id: 2 }] },
      { id: 2, books: [] },
      { id: 3, books: [] },
    ])
    expect(
      await rows('/authors?select=id,b:books!author_id(id)&b.order=title.desc&b.limit=1&b.offset=1&id=eq.1'),
    ).toEqual([{ id: 1, b: [{ id: 2 }] }])
    expect(
      await rows(
        '/authors?select=id,books!author_id(id,loans(id))&books.loans.returned=is.true&books.order=id&id=eq.1',
      ),
    ).toEqual([
      {
        id: 1,
        books: [
          { id: 1, loans: [{ id: 1 }] },
          { id: 2, loans: [{ id: 3 }] },
        ],
      },
    ])
    expect(
      await rows('/authors?select=id,books!author_id(id)&books.or=(id.eq.2,pages.eq.100)&books.order=id.desc&id=eq.1'),
    ).toEqual([{ id: 1, books: [{ id: 2 }, { id: 1 }] }])
    expect(await rows('/authors?select=id,books!author_id(id)&books.not.or=(id.eq.2,pages.eq.1)&id=eq.1')).toEqual([
      { id: 1, books: [{ id: 1 }] },
    ])
  })
  test('!inner also chooses among the parents, at any level', async () => {
    expect(await rows('/authors?select=id,books!author_id!inner(id)&books.pages=gt.100')).toEqual([
      { id: 1, books: [{ id: 2 }] },
    ])
    expect(
      await rows('/authors?select=id,books!author_id!inner(id,loans!inner(id))&books.loans.returned=is.false'),
    ).toEqual([{ id: 1, books: [{ id: 1, loans: [{ id: 2 }] }] }])
    expect(await rows('/authors?select=id,books!author_id!inner()&order=id')).toEqual([{ id: 1 }, { id: 2 }])
    expect((await rows('/authors?select=id,books!author_id!left(id)')).length).toBe(3)
  })
  test('is.null and not.is.null on an embedded resource ask for parents without and with it', async () => {
    expect(await rows('/authors?select=id,books!author_id()&books=is.null')).toEqual([{ id: 3 }])
    expect(await rows('/authors?select=id,books!author_id()&books=not.is.null&order=id')).toEqual([
      { id: 1 },
      { id: 2 },
    ])
    expect(
      await rows('/authors?select=id,books!author_id(),nodes()&or=(books.is.null,nodes.is.null)&order=id'),
    ).toEqual([{ id: 3 }])
  })
  test('a filter through a relation that is not selected chooses among the parents', async () => {
    expect(await rows('/books?select=id&loans.returned=is.false')).toEqual([{ id: 1 }])
    expect(await rows('/books?select=id&genres.name=eq.wild&order=id')).toEqual([{ id: 1 }, { id: 4 }])
    expect(await rows('/loans?select=id&books.author_id.name=eq.Ann&books.pages=gt.200')).toEqual([{ id: 3 }])
  })
  test('parents can be ordered by a to-one resource', async () => {
    expect(await rows('/books?select=id,author_id(name)&order=author_id(name).desc.nullslast,id')).toMatchObject([
      { id: 3 },
      { id: 1 },
      { id: 2 },
      { id: 4 },
    ])
    expect(await rows('/books?select=id,book_details()&order=book_details(summary).asc.nullsfirst,id')).toMatchObject([
      { id: 3 },
      { id: 4 },
      { id: 2 },
      { id: 1 },
    ])
  })
  test('count=exact counts what !inner leaves', async () => {
    const answer = await api.get('/authors?select=id,books!author_id!inner(id)&limit=1', { prefer: 'count=exact' })
    expect([answer.status, answer.headers['content-range']]).toEqual([206, '0-0/2'])
  })
})

describe('spread', () => {
  test('of a to-one resource makes columns, also renamed and nested', async () => {
    expect(await rows('/books?select=id,...author_id(writer:name)&id=in.(1,4)&order=id')).toEqual([
      { id: 1, writer: 'Ann' },
      { id: 4, writer: null },
    ])
    expect(await rows('/loans?select=id,...books(title,...author_id(name,nodes(id)))&id=eq.1')).toEqual([
      { id: 1, title: 'Sea', name: 'Ann', nodes: [{ id: 1 }] },
    ])
  })
  test('of a to-many resource makes lists', async () => {
    expect(await rows('/books?select=id,...genres(genre:name)&id=in.(1,2)&order=id&genres.order=name.desc')).toEqual([
      { id: 1, genre: ['wild', 'calm'] },
      { id: 2, genre: [] },
    ])
  })
})

describe('aggregates', () => {
  test('group by the other columns', async () => {
    expect(await rows('/books?select=count(),pages.sum(),pages.avg()::int,price.min(),price.max()')).toEqual([
      { count: 4, sum: 400, avg: 133, min: 5, max: 20 },
    ])
    expect(await rows('/books?select=author_id,n:count(),total:pages.sum()&order=author_id.asc.nullslast')).toEqual([
      { author_id: 1, n: 2, total: 350 },
      { author_id: 2, n: 1, total: null },
      { author_id: null, n: 1, total: 50 },
    ])
    expect(await rows('/books?select=raw,count()&raw=not.is.null&order=raw')).toHaveLength(2)
  })
  test('count what is inside, and group by a to-one resource', async () => {
    expect(await rows('/authors?select=id,books!author_id(count(),pages.max())&id=eq.1')).toEqual([
      { id: 1, books: [{ count: 2, max: 250 }] },
    ])
    const grouped = await rows('/books?select=author_id(name),count()&author_id=eq.1')
    expect(grouped).toEqual([{ author_id: { name: 'Ann' }, count: 2 }])
  })
  test('are counted as groups', async () => {
    const answer = await api.get('/books?select=author_id,count()&limit=1', { prefer: 'count=exact' })
    expect([answer.status, answer.headers['content-range']]).toEqual([206, '0-0/3'])
  })
})

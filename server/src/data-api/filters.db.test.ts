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
const ids = async (url: string) => {
  const answer = await api.get(url)
  expect(answer.object).toEqual({})
  return answer.rows.map((row) => row.id)
}
const books = (query: string) => ids(`/books?select=id&order=id&${query}`)

describe('operators', () => {
  test.each<[string, number[]]>([
    ['pages=eq.100', [1]],
    ['pages=neq.100', [2, 4]],
    ['pages=gt.100', [2]],
    ['pages=gte.100', [1, 2]],
    ['pages=lt.100', [4]],
    ['pages=lte.100', [1, 4]],
    ['pages=not.lte.100', [2]],
    ['title=like.*a*', [1, 2]],
    ['title=like.*A*', [3]],
    ['title=ilike.*A*', [1, 2, 3]],
    ['title=not.ilike.*A*', [4]],
    ['title=ilike.sea', [1]],
    ['title=match.^S', [1]],
    ['title=imatch.^s', [1]],
    ['title=eq.Fire, "hot"', [4]],
    ['title=like.Air (100\\%)', [3]],
    ['id=in.(1,3)', [1, 3]],
    ['id=not.in.(1,3)', [2, 4]],
    ['title=in.("Fire, \\"hot\\"",Sea)', [1, 4]],
    ['title=in.(Air (100%25),Land)', [2, 3]],
    ['id=in.()', []],
    ['pages=is.null', [3]],
    ['pages=not.is.null', [1, 2, 4]],
    ['pages=is.not_null', [1, 2, 4]],
    ['in_print=is.true', [1, 4]],
    ['in_print=is.FALSE', [2]],
    ['in_print=is.unknown', [3]],
    ['in_print=eq.1', [1, 4]],
    ['in_print=eq.0', [2]],
    ['pages=isdistinct.100', [2, 3, 4]],
    ['pages=not.isdistinct.100', [1]],
    ['tags=cs.{water}', [1, 4]],
    ['tags=cd.{salt,water}', [1, 3, 4]],
    ['tags=ov.{earth,salt}', [1, 2]],
    ['tags=eq.{}', [3]],
    ['data=cs.{"shelf":{"row":1}}', [2]],
    ['raw=cs.{"b":1}', [1]],
    ['raw=eq.[1]', [2]],
    ['binding=eq.hard', [1]],
    ['binding=in.(hard,soft)', [1, 2, 4]],
    ['binding=ilike.HA*', [1]],
    ['id=like.1*', [1]],
    ['vector=fts.wave', [1, 4]],
    ['vector=fts(english).roll %26 wave', [1]],
    ['vector=plfts(english).rolling waves', [1]],
    ['vector=phfts(english).burning wave', [4]],
    ['vector=wfts(english).wave -burning', [1]],
    ['title=fts(simple).sea', [1]],
    ['data=wfts(simple).sea', [1]],
    ['vector=not.fts.roll', [4]],
    ['id=eq(any).{1,4}', [1, 4]],
    ['title=like(any).{S*,L*}', [1, 2]],
    ['title=ilike(all).{*a*,*n*}', [2]],
    ['title=not.like(any).{S*,L*}', [3, 4]],
    ['pages=gt(all).{50,100}', [2]],
    ['added=lt.2024-02-15', [1, 2]],
    ['added=gt.now()', []],
    ['pages=gte.50&pages=lte.100', [1, 4]],
  ])('%s', async (query, expected) => {
    expect(await books(encodeURI(query).replaceAll('%2525', '%25').replaceAll('%2526', '%26'))).toEqual(expected)
  })
  test('on ranges', async () => {
    const loans = (query: string) => ids(`/loans?select=id&order=id&${query}`)
    expect(await loans('days=sl.[5,6)')).toEqual([1, 3])
    expect(await loans('days=sr.[1,5)')).toEqual([2])
    expect(await loans('days=nxr.[1,5)')).toEqual([1, 3])
    expect(await loans('days=nxl.[2,3)')).toEqual([2, 3])
    expect(await loans('days=adj.[5,9)')).toEqual([1])
    expect(await loans('days=cs.[2,3)')).toEqual([1, 3])
    expect(await loans('days=ov.[4,6)')).toEqual([1, 2])
  })
})

describe('trees of conditions', () => {
  test.each<[string, number[]]>([
    ['or=(id.eq.1,id.eq.4)', [1, 4]],
    ['and=(id.gt.1,id.lt.4)', [2, 3]],
    ['not.or=(id.eq.1,id.eq.4)', [2, 3]],
    ['not.and=(id.gt.1,id.lt.4)', [1, 4]],
    ['or=(id.eq.1,and(pages.gt.200,title.eq.Land),not.and(id.lt.4,id.gt.0))', [1, 2, 4]],
    ['or=(title.eq."Fire, \\"hot\\"",id.in.(1,2))', [1, 2, 4]],
    ['or=(tags.cs.{salt,water},tags.eq.{earth})', [1, 2]],
    ['or=(data.cs.{"shelf":{"row":1}},id.eq.3)', [2, 3]],
    ['or=(pages.not.is.null,id.is.null)', [1, 2, 4]],
    ['or=(title.not.in.("Sea",Land),id.eq.1)', [1, 3, 4]],
    ['or=( id.eq.1 , id.eq.2)', [1, 2]],
    ['or=(data->shelf->>row.eq.1,data->>app.kubernetes.io/name.eq.sea)', [1, 2]],
    ['or=(data->shelf->>label.eq."A,1")', [1]],
    ['or=(id.eq(any).{1,2},title.ilike.*fire*)', [1, 2, 4]],
    ['or=("title".eq.Sea)', [1]],
    ['and=(or(id.eq.1,id.eq.2),or(id.eq.2,id.eq.3))', [2]],
    ['or=(id.in.(),id.eq.1)', [1]],
    ['or=(added.gt.now(),title.ilike.*(100%)*)', [3]],
  ])('%s', async (query, expected) => {
    expect(await books(encodeURI(query))).toEqual(expected)
  })
})

describe('JSON paths', () => {
  test.each<[string, number[]]>([
    ['data->shelf->>row=eq.3', [1]],
    ['data->shelf->row=eq.3', [1]],
    ['data->list->>0=eq.1', [1]],
    ['data->list->2->>deep=eq.true', [1]],
    ['data->list->>-1=not.is.null', [1]],
    ['data->>app.kubernetes.io/name=eq.sea', [1]],
    ['data->>"app.kubernetes.io/name"=eq.sea', [1]],
    ['data->shelf=is.null', [3]],
    ['tags->>0=eq.earth', [2]],
    ['raw->>b=eq.1', [1]],
    ['data->shelf->>row=in.(1,3)', [1, 2]],
    ['data->>nothing=is.null', [1, 2, 3, 4]],
    ['data->shelf->>row=eq.03', []],
    ['data->shelf->>label=eq.A,1', [1]],
    ['data->list->2->>deep=eq.true', [1]],
    ['data->shelf->>row=not.eq.3', [2]],
  ])('%s', async (query, expected) => {
    expect(await books(encodeURI(query))).toEqual(expected)
  })
  test('in select and order', async () => {
    const answer = await api.get(
      '/books?select=id,data->shelf->>row,label:data->shelf->label,last:data->list->2->deep&order=data->shelf->>row.desc.nullslast,id',
    )
    expect(answer.rows[0]).toEqual({ id: 1, row: '3', label: 'A,1', last: true })
    expect(answer.rows.map((row) => row.id)).toEqual([1, 2, 3, 4])
    const dotted = await api.get(
      '/books?select=data->>app.kubernetes.io/name,n:data->shelf->row::int&order=data->>app.kubernetes.io/name.desc.nullslast&limit=1',
    )
    expect(dotted.rows).toEqual([{ 'app.kubernetes.io/name': 'sea', n: 3 }])
  })
})

describe('the .filter extension', () => {
  test.each<[string, number[]]>([
    ['title.filter=Sea,Land', [1, 2]],
    ['title.filter=!Sea', [2, 3, 4]],
    ['title.filter=!Sea,!Land', [3, 4]],
    ['title.filter=S*,*d', [1, 2]],
    ['title.filter=*i*', [3, 4]],
    ['title.filter=Sea,L*', [1, 2]],
    ['title.filter=!S*', [2, 3, 4]],
    ['title.filter=*a*,!Sea', [2]],
    ['title.filter=', [1, 2, 3, 4]],
    ['title.filter=Sea&title.filter=Land', [1]],
    ['binding.filter=!hard', [2, 4]],
    ['id.filter=1,2', [1, 2]],
    ['title.filter=*0%)', [3]],
  ])('%s', async (query, expected) => {
    expect(await books(encodeURI(query))).toEqual(expected)
  })
  test('reads date expressions on date columns and refuses others', async () => {
    const people = (query: string) => ids(`/authors?select=id&order=id&${query}`)
    expect(await people('created_at.filter=>now-1h')).toEqual([1, 2, 3])
    expect(await people('created_at.filter=now-1h')).toEqual([])
    expect(await people('created_at.filter=<now%2B1d/d')).toEqual([1, 2, 3])
    expect(await people('created_at.filter=>2024-08-29T10:00:00Z')).toEqual([1, 2, 3])
    for (const bad of ['soon', 'now-', '>now-5x', '2024-13-45', 'now/5d']) {
      const answer = await api.get(`/authors?created_at.filter=${bad}`)
      expect([bad, answer.status, answer.object.code]).toEqual([bad, 400, 'PGRST100'])
    }
  })
  test('works on embedded resources and leaves a column named filter alone', async () => {
    const answer = await api.get('/authors?select=id,books!author_id(title)&books.title.filter=Sea&id=eq.1')
    expect(answer.rows).toEqual([{ id: 1, books: [{ title: 'Sea' }] }])
  })
})

describe('refusals', () => {
  test.each<[string, string]>([
    ['pages=100', 'PGRST100'],
    ['pages=', 'PGRST100'],
    ['pages=eq', 'PGRST100'],
    ['pages=foo.1', 'PGRST100'],
    ['pages=is.maybe', 'PGRST100'],
    ['pages=in.1,2', 'PGRST100'],
    ['pages=in(any).(1)', 'PGRST100'],
    ['pages=neq(any).{1}', 'PGRST100'],
    ['title=eq(some).{1}', 'PGRST100'],
    ['or=id.eq.1', 'PGRST100'],
    ['or=(id.eq.1', 'PGRST100'],
    ['or=(id.eq.1))', 'PGRST100'],
    ['or=()', 'PGRST100'],
    ['or=(id)', 'PGRST100'],
    ['select=id,', 'PGRST100'],
    ['select=id,(', 'PGRST100'],
    ['select=a:b:c', 'PGRST100'],
    ['select=id))', 'PGRST100'],
    ['order=id.up', 'PGRST100'],
    ['order=id..asc', 'PGRST100'],
    ['limit=-1', 'PGRST100'],
    ['limit=many', 'PGRST100'],
    ['offset=1.5', 'PGRST100'],
    ['title', 'PGRST100'],
    ['data->=eq.1', 'PGRST100'],
    ['pages=eq.many', '22P02'],
    ['id=eq.99999999999', '22003'],
    ['added=gt.yesterdayish', '22007'],
    ['title=match.(', '2201B'],
    ['title=like.\\', '22025'],
    ['tags=cs.x', '22P02'],
    ['data->shelf=eq.{', '22P02'],
    ['pages=cs.{1}', '42883'],
    ['title=sl.1', '42883'],
    ['title=is.true', '42804'],
    ['vector=fts(klingon).x', '42704'],
    ['vector=fts.x %26', '42601'],
    ['nope=eq.1', '42703'],
    ['select=nope', '42703'],
    ['order=nope', '42703'],
    ['nope->>a=eq.1', '42703'],
    ['select=title::nope', '42704'],
    ['select=title::int', '22P02'],
    ['select=nope(*)', 'PGRST200'],
    ['nope.id=eq.1', 'PGRST108'],
    ['nope.order=id', 'PGRST108'],
    ['order=genres(name)', 'PGRST108'],
    ['select=genres(name)&order=genres(name)', 'PGRST118'],
    ['select=pages.sum()&order=id', '42803'],
    ['select=title.sum()', '42883'],
  ])('%s is a 400 with code %s', async (query, code) => {
    const answer = await api.get(`/books?${query.replaceAll(' ', '%20').replaceAll('\\', '%5C')}`)
    expect([answer.status, answer.object.code]).toEqual([400, code])
    expect(Object.keys(answer.object).sort()).toEqual(['code', 'details', 'hint', 'message'])
    expect(answer.object.message).toEqual(expect.any(String))
  })
})

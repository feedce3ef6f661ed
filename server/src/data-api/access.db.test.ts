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
const viewer = { as: 'viewer' } as const

describe('secret columns', () => {
  test('are shown to those who may write the relation', async () => {
    expect((await api.get('/vaults?id=eq.1&select=password,properties')).json).toEqual([
      { password: 'hunter2', properties: { token: 'abc', region: 'eu' } },
    ])
    expect((await api.get('/vaults?password=eq.hunter2&select=id')).json).toEqual([{ id: 1 }])
  })
  test('are masked for others: whether there is something, and its keys, but no value', async () => {
    const masked = { name: 'main', password: '***', properties: { token: '***', region: '***' } }
    expect((await api.get('/vaults?select=name,password,properties&order=id', viewer)).json).toEqual([
      masked,
      { name: 'empty', password: null, properties: null },
    ])
    expect((await api.get('/vaults?id=eq.1', viewer)).rows).toMatchObject([masked])
    expect((await api.get('/vaults?select=code:password&id=eq.1', viewer)).json).toEqual([{ code: '***' }])
    expect((await api.get('/vaults?id=eq.1', { ...viewer, headers: { accept: 'text/csv' } })).text).not.toMatch(
      /hunter2|abc/,
    )
  })
  test('encrypted values are hidden from everybody, beside what is open', async () => {
    const sealed = `qd1.0123abcd.${'A-_9'.repeat(12)}`
    const values = { id: 90, password: sealed, properties: { token: sealed, region: 'eu', note: `a ${sealed}` } }
    await api.post('/vaults', values)
    const hidden = { password: '***', properties: { token: '***', region: 'eu', note: `a ${sealed}` } }
    expect((await api.get('/vaults?id=eq.90&select=password,properties')).json).toEqual([hidden])
    expect((await api.get('/vaults?id=eq.90')).rows).toMatchObject([hidden])
    expect((await api.get('/vault_list?id=eq.90')).json).toEqual([{ id: 90, name: null, code: '***' }])
    expect(
      (await api.patch('/vaults?id=eq.90', { name: 'x' }, { headers: { prefer: 'return=representation' } })).text,
    ).not.toContain(`"${sealed}"`)
    await api.delete('/vaults?id=eq.90')
  })
  test('are masked in views and functions that show them', async () => {
    expect((await api.get('/vault_list?id=eq.1', viewer)).json).toEqual([{ id: 1, name: 'main', code: '***' }])
    expect((await api.get('/rpc/secret_rows?id=eq.1', viewer)).rows).toMatchObject([{ password: '***' }])
    expect((await api.get('/vault_list?id=eq.1')).json).toEqual([{ id: 1, name: 'main', code: 'hunter2' }])
  })
  test.each([
    '/vaults?password=eq.hunter2',
    '/vaults?password=like.h*',
    '/vaults?password=not.is.null',
    '/vaults?password.filter=hunter2',
    '/vaults?or=(id.eq.1,password.like.h*)',
    '/vaults?and=(or(id.eq.2,not.and(password.gt.a)))',
    '/vaults?properties->>token=eq.abc',
    '/vaults?properties=cs.{"token":"abc"}',
    '/vaults?order=password',
    '/vaults?order=properties->>token',
    '/vaults?select=properties->>token',
    '/vaults?select=password::text',
    '/vaults?select=password.max()',
    '/vaults?select=password.count()',
    '/vault_list?code=eq.hunter2',
    '/vault_list?order=code',
    '/rpc/secret_rows?password=eq.hunter2',
    '/rpc/secret_rows?order=password',
  ])('cannot be asked about: %s', async (url) => {
    const answer = await api.get(url, viewer)
    expect([answer.status, answer.object.code]).toEqual([403, '42501'])
    expect((await api.get(url)).status).toBe(200)
  })
})

describe('own rows', () => {
  test('are all that those see who may not write the relation', async () => {
    expect((await api.get('/notes?select=body', viewer)).json).toEqual([{ body: 'mine' }])
    expect(
      (await api.get('/notes?select=body&or=(id.eq.1,id.eq.2)', { ...viewer, prefer: 'count=exact' })).headers[
        'content-range'
      ],
    ).toBe('0-0/1')
    expect((await api.get('/notes?select=body&order=id')).json).toEqual([{ body: 'mine' }, { body: 'theirs' }])
  })
})

describe('relations', () => {
  test('need a signed-in person', async () => {
    const answer = await api.get('/books', { as: 'nobody' })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(answer.object).toEqual({
      code: 'PGRST301',
      message: 'Sign in to use the data API',
      details: null,
      hint: null,
    })
    expect((await api.post('/books', {}, { as: 'nobody' })).status).toBe(401)
  })
  test('that one may not read are a 403, as root, embedded or on the way of a filter', async () => {
    expect((await api.get('/audit', viewer)).object).toMatchObject({
      code: '42501',
      message: 'permission denied for table audit',
    })
    expect((await api.get('/rpc/audits', viewer)).status).toBe(403)
    expect((await api.get('/audit')).status).toBe(200)
  })
  test('that are hidden do not exist', async () => {
    for (const url of [
      '/closed',
      '/closed?select=*',
      '/books?select=closed(*)',
      '/pg_catalog.pg_class',
      '/information_schema',
      '/rpc/inner_work',
      '/a/b',
      '/__proto__',
      '/constructor',
      '/rpc/toString',
    ]) {
      const answer = await api.get(url)
      expect([url, answer.status, typeof answer.object.code]).toEqual([
        url,
        url.includes('select=closed') ? 400 : 404,
        'string',
      ])
    }
  })
  test('a mistyped one gets a hint, but never one the caller may not see', async () => {
    expect((await api.get('/book')).object.hint).toBe(`Perhaps you meant the table 'public.books'`)
    expect((await api.get('/audi', viewer)).object.hint).toBeNull()
    expect((await api.get('/audi')).object.hint).toBe(`Perhaps you meant the table 'public.audit'`)
  })
  test('are written only with the right to', async () => {
    for (const [method, url] of [
      ['POST', '/genres'],
      ['PATCH', '/genres?id=eq.1'],
      ['DELETE', '/genres?id=eq.1'],
      ['PUT', '/genres?id=eq.1'],
    ]) {
      const answer = await api.send(method!, url!, { ...viewer, body: { id: 1, name: 'x' } })
      expect([method, answer.status, answer.object.code]).toEqual([method, 403, '42501'])
    }
    expect((await api.send('POST', '/rpc/rename_author', { ...viewer, body: { who: 1, to_name: 'x' } })).status).toBe(
      403,
    )
  })
})

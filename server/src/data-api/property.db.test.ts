import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { createLibrary, libraryRules } from './library.ts'
import { operators } from './parse/operators.ts'
import { type TestAnswer, type TestApi, testApi } from './testing.ts'

/** Whatever is sent, the answer is a valid one or an error object of the 4xx kind. */

let api: TestApi
beforeAll(async () => {
  const db = await testDatabase({ empty: true })
  await createLibrary(db)
  api = await testApi(db, { rules: libraryRules, limits: { statementTimeout: 5000 } })
})

/** What is wrong with an answer; undefined when nothing is. */
function flaw(answer: TestAnswer): string | undefined {
  const { status, text, headers, json, object } = answer
  if (status >= 500) return 'a failure of the server'
  if (status < 300)
    return text !== '' && headers['content-type']?.includes('json') && json === undefined ? 'no JSON' : undefined
  if (headers['content-type'] !== 'application/json; charset=utf-8') return 'not JSON'
  if (Object.keys(object).sort().join() !== 'code,details,hint,message') return 'not an error object'
  return typeof object.code === 'string' && typeof object.message === 'string' ? undefined : 'no code or message'
}

function expectValid(answer: TestAnswer, what: string) {
  expect(flaw(answer), `${what} → ${answer.status} ${answer.text.slice(0, 300)}`).toBeUndefined()
}

const relations = [
  'authors',
  'books',
  'book_details',
  'genres',
  'book_genres',
  'loans',
  'types',
  'book_list',
  'author_names',
  'book_report',
  'vaults',
  'nodes',
  'nope',
  'closed',
]
const columns = [
  'id',
  'title',
  'name',
  'author_id',
  'pages',
  'price',
  'binding',
  'in_print',
  'tags',
  'data',
  'raw',
  'added',
  'vector',
  'days',
  'born',
  'parent_id',
  'nope',
  '"odd name"',
  'big',
  'wait',
  'ip',
  'blob',
]
const keys = ['shelf', 'row', 'list', '0', '-1', 'app.kubernetes.io/name', '"a b"', 'x']

const relation = fc.constantFrom(...relations)
const column = fc.constantFrom(...columns)
const path = fc
  .array(fc.tuple(fc.constantFrom('->', '->>'), fc.constantFrom(...keys)), { maxLength: 3 })
  .map((parts) => parts.flat().join(''))
const field = fc.oneof(
  { weight: 3, arbitrary: column },
  fc.tuple(column, path).map(([c, p]) => c + p),
)
const cast = fc.constantFrom('', '', '', '::text', '::int', '::jsonb', '::nope')
const value = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    'true',
    'null',
    'Sea',
    '{}',
    '{a,b}',
    '{"a":1}',
    '[1,5)',
    'now()',
    '2024-01-01',
    '*a*',
    '',
    '"x"',
    '018f0000-0000-7000-8000-000000000001',
    'NaN',
    'infinity',
    '-1',
    '99999999999999999999',
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const comparison = fc
  .tuple(
    fc.constantFrom('', '', 'not.'),
    fc.constantFrom(...Object.keys(operators)),
    fc.constantFrom('', '', '', '(any)', '(all)', '(english)'),
    value,
    fc.constantFrom('null', 'true', 'unknown'),
  )
  .map(([not, op, modifier, v, is]) => `${not}${op}${modifier}.${op === 'in' ? `(${v},${v})` : op === 'is' ? is : v}`)
const plainName = column.filter((name) => !name.startsWith('"'))
const { logic } = fc.letrec<{ logic: string }>((tie) => ({
  logic: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'logic' },
    fc.tuple(plainName, comparison).map(([c, f]) => `${c}.${f.replace(/[(),]/g, '')}`),
    fc
      .tuple(fc.constantFrom('and', 'or', 'not.and', 'not.or'), fc.array(tie('logic'), { minLength: 1, maxLength: 3 }))
      .map(([op, items]) => `${op}(${items.join(',')})`),
  ),
}))
const { select } = fc.letrec<{ select: string; item: string }>((tie) => ({
  select: fc.array(tie('item'), { minLength: 1, maxLength: 4 }).map((items) => items.join(',')),
  item: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'select', withCrossShrink: true },
    fc.constantFrom('*', 'id', 'count()', 'n:count()'),
    fc.tuple(field, cast).map(([f, c]) => f + c),
    fc
      .tuple(fc.constantFrom('a:', 'id:', ''), field, fc.constantFrom('', '.sum()', '.max()', '.avg()::int'))
      .map((parts) => parts.join('')),
    fc
      .tuple(
        fc.constantFrom('', '', 'x:', '...'),
        fc.oneof(relation, fc.constantFrom('author_id', 'editor_id', 'parent_id')),
        fc.constantFrom('', '', '!inner', '!left', '!author_id', '!books_editor_fkey!inner', '!nope'),
        tie('select'),
      )
      .map(([prefix, target, hint, inner]) => `${prefix}${target}${hint}(${inner})`),
  ),
}))
const order = fc
  .array(
    fc.tuple(
      fc.oneof(
        field,
        fc.tuple(relation, column).map(([r, c]) => `${r}(${c})`),
      ),
      fc.constantFrom('', '.asc', '.desc', '.desc.nullslast', '.nullsfirst', '.up'),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((terms) => terms.map((term) => term.join('')).join(','))
const parameter = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(field, comparison).map(([f, c]): [string, string] => [f, c]) },
  { weight: 2, arbitrary: select.map((text): [string, string] => ['select', text]) },
  order.map((text): [string, string] => ['order', text]),
  fc
    .tuple(fc.constantFrom('and', 'or', 'not.and'), fc.array(logic, { minLength: 1, maxLength: 3 }))
    .map(([op, items]): [string, string] => [op, `(${items.join(',')})`]),
  fc.tuple(relation, column, comparison).map(([r, c, f]): [string, string] => [`${r}.${c}`, f]),
  fc.tuple(column, fc.string({ maxLength: 8 })).map(([c, v]): [string, string] => [`${c}.filter`, v]),
  fc.tuple(
    fc.constantFrom('limit', 'offset', 'books.limit', 'loans.offset', 'genres.order', 'columns', 'on_conflict'),
    fc.constantFrom('0', '1', '5', 'id', '-1', 'name.desc'),
  ),
)
const encode = (pairs: [string, string][]) =>
  pairs.map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`).join('&')
const query = fc
  .array(parameter, { maxLength: 5 })
  .filter((pairs) => !/[\uD800-\uDFFF]/.test(JSON.stringify(pairs).replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, '')))
  .map(encode)
const headers = fc.record({
  prefer: fc.constantFrom(
    '',
    'count=exact',
    'count=planned',
    'count=estimated',
    'return=representation',
    'handling=strict, max-affected=1',
    'resolution=merge-duplicates',
    'missing=default,return=representation',
    'return=headers-only',
  ),
  accept: fc.constantFrom(
    '*/*',
    'application/json',
    'text/csv',
    'application/vnd.pgrst.object+json',
    'application/vnd.pgrst.array+json;nulls=stripped',
    'image/png',
  ),
  range: fc.constantFrom('', '0-1', '3-1', '5-', 'x'),
})
const role = fc.constantFrom('admin', 'editor', 'viewer') as fc.Arbitrary<'admin' | 'editor' | 'viewer'>
const runs = 250

describe('generated requests', () => {
  test('to read', async () => {
    await fc.assert(
      fc.asyncProperty(relation, query, headers, role, async (name, q, h, as) => {
        const url = `/${name}?${q}`
        expectValid(await api.get(url, { as, headers: h }), url)
      }),
      { numRuns: runs },
    )
  }, 120_000)

  test('to write', async () => {
    const json = fc.oneof(
      fc.array(
        fc.dictionary(
          fc.oneof(plainName, fc.string({ maxLength: 4 })),
          fc.oneof(fc.jsonValue({ maxDepth: 2 }), value),
          { maxKeys: 4 },
        ),
        { maxLength: 3 },
      ),
      fc.dictionary(plainName, fc.oneof(fc.jsonValue({ maxDepth: 2 }), value), { maxKeys: 5 }),
      fc.jsonValue({ maxDepth: 1 }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('POST', 'PATCH', 'PUT', 'DELETE'),
        relation,
        query,
        headers,
        role,
        json,
        async (method, name, q, h, as, body) => {
          const url = `/${name}?${q}`
          const prefer = `${h.prefer}${h.prefer ? ', ' : ''}tx=rollback`
          expectValid(
            await api.send(method, url, { as, headers: h, prefer, body: JSON.stringify(body) }),
            `${method} ${url} ${JSON.stringify(body)}`,
          )
        },
      ),
      { numRuns: runs },
    )
  }, 120_000)

  test('to call', async () => {
    const routine = fc.constantFrom(
      'books_of',
      'add',
      'titles',
      'first_book',
      'echo',
      'join_words',
      'over',
      'secret_rows',
      'nope',
    )
    const args = fc.dictionary(
      fc.constantFrom('author', 'min_pages', 'a', 'b', 'c', 'words', 'nope', ''),
      fc.oneof(value, fc.jsonValue({ maxDepth: 1 })),
      { maxKeys: 3 },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'HEAD'),
        routine,
        args,
        query,
        headers,
        async (method, name, given, q, h) => {
          const inQuery =
            method === 'POST' ? '' : `${encode(Object.entries(given).map(([k, v]) => [k, String(v).toWellFormed()]))}&`
          const url = `/rpc/${name}?${inQuery}${q}`
          const answer = await api.send(method, url, {
            headers: h,
            body: method === 'POST' ? JSON.stringify(given) : undefined,
          })
          // A refused HEAD has no body to look at.
          const bare = method === 'HEAD' && answer.status < 500
          expectValid(bare ? { ...answer, status: 200 } : answer, `${method} ${url} ${JSON.stringify(given)}`)
        },
      ),
      { numRuns: runs },
    )
  }, 120_000)
})

describe('well-formed requests', () => {
  const kinds = {
    id: ['1', '2', '4', '77'],
    title: ['Sea', 'Land', 'a', '*a*'],
    pages: ['50', '100', '250'],
    price: ['5', '9.5'],
    in_print: ['true', '0'],
    added: ['2024-02-01', 'now()'],
    'data->shelf->>row': ['1', '3'],
  }
  const compare = fc
    .constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[]))
    .chain((name) =>
      fc.tuple(
        fc.constant(name),
        fc.constantFrom(...kinds[name]),
        fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct', 'in'),
        fc.boolean(),
      ),
    )
    .map(([name, v, op, not]) => [name, `${not ? 'not.' : ''}${op}.${op === 'in' ? `(${v})` : v}`] as const)
  const tree = fc
    .array(compare, { minLength: 1, maxLength: 3 })
    .map((items) => `(${items.map((pair) => pair.join('.')).join(',')})`)
  const filters = fc
    .array(fc.oneof(compare, fc.tuple(fc.constantFrom('or', 'and', 'not.or', 'not.and'), tree)), { maxLength: 3 })
    .map((pairs) => encode(pairs as [string, string][]))
  const embeds = fc.subarray([
    'author_id(name)',
    'genres(name)',
    'loans(id,days)',
    'book_details(summary)',
    'writer:authors!author_id(*,nodes(id))',
    'x:data->shelf',
    'n:pages::text',
  ])

  test('are answered; counts, pages, HEAD and complements agree', async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        embeds,
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 0, max: 4 }),
        async (f, more, limit, offset) => {
          const select = encodeURIComponent(['id', ...more].join(','))
          const whole = await api.get(`/books?select=${select}&order=id&${f}`)
          expect([f, whole.status, whole.object]).toEqual([f, 200, {}])
          const total = whole.rows.length
          const url = `/books?select=${select}&order=id&${f}&limit=${limit}&offset=${Math.min(offset, total)}`
          const page = await api.get(url, { prefer: 'count=exact' })
          expect(page.json).toEqual(whole.rows.slice(Math.min(offset, total), Math.min(offset, total) + limit))
          expect(page.headers['content-range']?.split('/')[1]).toBe(String(total))
          const head = await api.send('HEAD', url, { prefer: 'count=exact' })
          expect([head.status, head.headers['content-range']]).toEqual([page.status, page.headers['content-range']])
        },
      ),
      { numRuns: runs },
    )
    await fc.assert(
      fc.asyncProperty(tree, async (conditions) => {
        const ids = async (op: string) =>
          (await api.get(`/books?select=id&${op}=${encodeURIComponent(conditions)}`)).rows.map((row) => row.id)
        const [either, neither] = [await ids('or'), await ids('not.or')]
        expect(either.filter((id) => neither.includes(id))).toEqual([])
        const all = await ids('and')
        expect(all.every((id) => either.includes(id))).toBe(true)
      }),
      { numRuns: runs / 2 },
    )
  }, 120_000)
})

describe('garbage', () => {
  const token = fc.oneof(
    fc.constantFrom(
      'select=',
      'order=',
      'or=',
      'and=',
      'id',
      'title',
      'eq.',
      'in.',
      '(',
      ')',
      ',',
      '.',
      '"',
      '\\',
      '!',
      ':',
      '::',
      '->',
      '->>',
      '*',
      '...',
      '&',
      '=',
      '%',
      '%00',
      '%ff',
      '+',
      ' ',
      '{',
      '}',
      'not.',
      'is.null',
      'books',
      'loans',
      '.filter',
      '-',
      '0',
      'limit',
      'count()',
      '.sum()',
      '\u{1F4A9}',
    ),
    fc.string({ maxLength: 3 }),
  )
  const text = fc.array(token, { maxLength: 25 }).map((parts) => parts.join(''))
  // What a client library would escape anyway, so that the text reaches the server at all.
  const sendable = (raw: string) => raw.toWellFormed().replace(/[^\x21-\x7e]|#/gu, (char) => encodeURIComponent(char))
  test('as query strings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/books', '/authors', '/rpc/books_of', '/rpc/echo'), text, async (name, raw) => {
        const url = `${name}?${sendable(raw)}`
        expectValid(await api.get(url), url)
      }),
      { numRuns: 3 * runs },
    )
  }, 120_000)

  test('as bodies, types and preferences', async () => {
    const type = fc.constantFrom(
      'application/json',
      'text/csv',
      'application/x-www-form-urlencoded',
      'application/xml',
      '',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/books', '/rpc/add', '/rpc/echo'),
        type,
        text,
        fc.stringMatching(/^[ -~]{0,20}$/),
        async (url, contentType, body, prefer) => {
          const answer = await api.send('POST', url, {
            headers: { 'content-type': contentType },
            prefer: `tx=rollback,${prefer}`,
            body: body.toWellFormed(),
          })
          expectValid(answer, `${url} ${contentType} ${body}`)
        },
      ),
      { numRuns: runs },
    )
  }, 120_000)
})

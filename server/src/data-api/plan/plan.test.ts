import type { Role } from '@quarterdeck/contract/permissions'
import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { parseQuery } from '../parse/query.ts'
import { readStatement } from '../query.ts'
import type { Column, Relation, SchemaCache } from '../schema/model.ts'
import { relationshipsOf } from '../schema/relationships.ts'
import { viewOrigins } from '../schema/view-lineage.ts'
import { Access, type AccessRules } from './access.ts'
import { nearest } from './nearest.ts'
import { planContext, planSelect } from './read-plan.ts'

const column = (name: string, family: Column['family'] = 'text', origin?: Column['origin']): Column => ({
  name,
  type: family === 'text' ? 'text' : family,
  family,
  nullable: true,
  default: null,
  generated: false,
  comment: null,
  origin,
})
const relation = (name: string, columns: Column[], kind: Relation['kind'] = 'table'): Relation => ({
  name,
  kind,
  comment: null,
  columns: new Map(columns.map((c) => [c.name, c])),
  primaryKey: kind === 'table' ? ['id'] : [],
})

function schemaOf(...list: Relation[]): SchemaCache {
  const relations = new Map(list.map((r) => [r.name, r]))
  const keys = [{ name: 'items_owner_fkey', from: 'items', to: 'people', columns: ['owner'], referenced: ['id'] }]
  const unique = list
    .filter((r) => r.kind === 'table')
    .map((r) => ({ relation: r.name, columns: ['id'], primary: true }))
  return { relations, relationships: relationshipsOf(relations, keys, unique), routines: new Map() }
}
const schema = schemaOf(
  relation('people', [column('id', 'uuid'), column('name'), column('pin')]),
  relation('items', [
    column('id', 'uuid'),
    column('owner', 'uuid'),
    column('labels', 'jsonb'),
    column('raw', 'json'),
    column('note'),
  ]),
  relation(
    'item_list',
    [
      column('id', 'uuid', { relation: 'items', column: 'id' }),
      column('holder', 'uuid', { relation: 'items', column: 'owner' }),
      column('pin', 'text', { relation: 'people', column: 'pin' }),
    ],
    'view',
  ),
)
const rules: AccessRules = {
  relations: {
    people: { read: 'database', write: 'identities', secret: ['pin'] },
    items: { read: 'canaries', write: 'canaries' },
    item_list: { read: 'canaries' },
  },
  functions: {},
}

function sqlOf(name: string, query: string, role: Role = 'viewer', use = rules) {
  const access = new Access(schema, use, [role])
  const parsed = parseQuery(query, { limits: defaultLimits, now: () => new Date(0) })
  const rows = access.readableRelation(name)
  const select = planSelect(planContext(schema, access, defaultLimits, parsed), {
    source: { kind: 'relation', name },
    rows: { name, columns: rows.columns, relation: name },
    limit: { constant: 50 },
    offset: { from: 'offset' },
  })
  return readStatement(select, {
    answer: { kind: 'array', stripNulls: false },
    head: false,
    count: undefined,
    maxRows: 2000,
  })
}
const refusal = (name: string, query: string, role?: Role, use?: AccessRules) => {
  try {
    return sqlOf(name, query, role, use).text
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('statements', () => {
  test('hold names of the schema and placeholders, never a value', () => {
    const { text, params } = sqlOf(
      'items',
      `select=id,owner(name)&note=eq.x'y&labels->>a"b=in.(1,2)&raw=eq.{}&order=note.desc`,
    )
    expect(text).toBe(
      `select count(*)::int as n, coalesce('[' || string_agg(('{"id":' || coalesce('"' || t."id" || '"', 'null') || ` +
        `',"owner":' || coalesce(t."owner"::text, 'null')) || '}', ',') || ']', '[]') as body, null as total from (` +
        'select r0."id" as "id", ' +
        '(select to_json(e.*) from (select r1."name" as "name" from "people" r1 where r1."id" = r0."owner" limit 1) e) as "owner" ' +
        'from "items" r0 where r0."note" = $1 and (r0."labels" #>> $3::text[]) = any($2) and r0."raw"::jsonb = $4 ' +
        'order by r0."note" desc limit 50 offset $5::bigint) t',
    )
    expect(params).toEqual([{ slot: 0 }, { slot: 2 }, { slot: 1 }, { slot: 3 }, { from: 'offset' }])
  })
  test('leave rows whose names need escaping to PostgreSQL', () => {
    for (const select of ['"a\\"b":id', `"a'b":id`, '"a b":id'])
      expect(sqlOf('items', `select=${select}`).text).toContain(`coalesce(json_agg(t.*), '[]')::text`)
  })
  test('quote what a client names', () => {
    expect(sqlOf('items', 'select="x""; drop table items; --":id'.replace('""', '\\"')).text).toContain(
      'as "x""; drop table items; --"',
    )
  })
  test('follow foreign keys out of views', () => {
    expect(sqlOf('item_list', 'select=id,holder(name)').text).toContain('from "people" r1 where r1."id" = r0."holder"')
    expect(sqlOf('people', 'select=id,item_list(id)').text).toContain('from "item_list" r1 where r1."holder" = r0."id"')
  })
})

describe('refusals', () => {
  test('of unknown names', () => {
    expect(refusal('items', 'nope=eq.1')).toBe('42703')
    expect(refusal('items', 'select=nope')).toBe('42703')
    expect(refusal('items', 'order=nope')).toBe('42703')
    expect(refusal('items', 'select=nope(id)')).toBe('PGRST200')
    expect(refusal('nope', '')).toBe('PGRST205')
  })
  test('of relations without the right, as root, embedded, filtered or ordered by', () => {
    const closed: AccessRules = { ...rules, relations: { ...rules.relations, people: { read: 'identities' } } }
    for (const query of [
      'select=id,people(name)',
      'select=owner(name)',
      'people.name=eq.x',
      'select=id,people()&people=is.null',
      'select=people(id)&order=people(name)',
      'select=...people(name)',
      'select=id,people!inner()',
    ]) {
      expect([query, refusal('items', query, 'viewer', closed)]).toEqual([query, '42501'])
      expect(refusal('items', query, 'admin', closed)).toContain('"people"')
    }
    expect(refusal('people', '', 'viewer', closed)).toBe('42501')
    const hidden: AccessRules = { ...rules, relations: { ...rules.relations, people: 'hidden' } }
    expect(refusal('items', 'select=people(name)', 'admin', hidden)).toBe('PGRST200')
  })
  test('of secret columns, also where a view shows them', () => {
    for (const [name, query] of [
      ['people', 'pin=eq.1'],
      ['people', 'order=pin'],
      ['people', 'select=pin::text'],
      ['item_list', 'pin=eq.1'],
      ['items', 'people.pin=eq.1'],
      ['items', 'select=people(id)&order=people(pin)'],
    ] as const) {
      expect([query, refusal(name, query)]).toEqual([query, '42501'])
      expect(refusal(name, query, 'admin')).toContain('"pin"')
    }
    expect(sqlOf('item_list', 'select=pin').text).toContain(`case when r0."pin" is not null then '***' end as "pin"`)
  })
})

test('view origins are read out of the query tree, nested queries and escapes aside', () => {
  const tree =
    '({QUERY :targetList ({TARGETENTRY :expr {VAR :varno 1} :resno 1 :resname id :ressortgroupref 0 :resorigtbl 16401 :resorigcol 2 :resjunk false} ' +
    '{TARGETENTRY :expr {SUBLINK :subselect {QUERY :targetList ({TARGETENTRY :expr {VAR} :resno 1 :resname x :resorigtbl 99 :resorigcol 9 :resjunk false})}} :resno 2 :resname odd\\}\\ name :resorigtbl 0 :resorigcol 0 :resjunk false})})'
  expect([...viewOrigins(tree)]).toEqual([[1, { relation: 16401, column: 2 }]])
})

test('hints name what is near, and nothing when nothing is', () => {
  expect(nearest('confgs', ['configs', 'config_items'])).toBe('configs')
  expect(nearest('zzz', ['configs', 'people'])).toBeNull()
})

import { can, resources, type Role, roles } from '@quarterdeck/contract/permissions'
import { functions, hidden, relations, type RelationRule } from '@quarterdeck/contract/relations'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { seedContract } from './contract-data.ts'
import { loadSchema } from './schema-cache.ts'
import type { SchemaCache } from './schema/model.ts'
import { type TestApi, testApi } from './testing.ts'

/** Every table, view and function of the real database × every role × every method, embeds and filters included. */

let api: TestApi
let schema: SchemaCache
beforeAll(async () => {
  const db = await testDatabase()
  await seedContract(db)
  schema = await loadSchema(db)
  api = await testApi(db)
})

const ruleOf = (name: string): RelationRule | undefined => {
  const rule = relations[name]
  return rule === hidden ? undefined : rule
}
const nothing = (name: string) => {
  const [column] = schema.relations.get(name)!.columns.keys()
  return `${column}=is.null&${column}=not.is.null`
}
const may = (role: Role, action: 'read' | 'write', name: string) => {
  const resource = ruleOf(name)?.[action]
  return resource !== undefined && can([role], action, resource)
}
const status = async (method: string, url: string, role: Role, body?: unknown) =>
  (await api.send(method, url, { as: role, body })).status

/** A few at a time: there are thousands of requests to make. */
async function inGroups<T>(all: T[], work: (one: T) => Promise<void>) {
  for (let i = 0; i < all.length; i += 8) await Promise.all(all.slice(i, i + 8).map(work))
}

test('[RBAC-02] every relation and function in the database has an entry, and every entry is there', () => {
  const missing = [
    ...[...schema.relations.keys()].filter((name) => !Object.hasOwn(relations, name)),
    ...[...schema.routines.keys()].filter((name) => !Object.hasOwn(functions, name)).map((name) => `${name}()`),
  ]
  expect(missing, 'add these to contract/src/relations.ts').toEqual([])
  expect(Object.keys(relations).filter((name) => !schema.relations.has(name))).toEqual([])
  expect(Object.keys(functions).filter((name) => !schema.routines.has(name))).toEqual([])
  for (const [name, rule] of Object.entries(relations)) {
    if (rule === hidden) continue
    expect(resources).toContain(rule.read)
    for (const column of rule.secret ?? []) expect([...schema.relations.get(name)!.columns.keys()]).toContain(column)
  }
})

describe.each(roles)('%s', (role) => {
  test('reads what the matrix allows', async () => {
    await inGroups([...schema.relations.keys()], async (name) => {
      const expected = !ruleOf(name) ? 404 : may(role, 'read', name) ? 200 : 403
      for (const method of role === 'viewer' ? ['GET', 'HEAD'] : ['GET']) {
        expect([method, name, await status(method, `/${name}?limit=1&${nothing(name)}`, role)]).toEqual([
          method,
          name,
          expected,
        ])
      }
    })
  }, 120_000)

  test('writes what the matrix allows', async () => {
    await inGroups([...schema.relations.keys()], async (name) => {
      const rule = ruleOf(name)
      const expected = (write: 'insert' | 'update' | 'delete', success: number) => {
        if (!rule) return 404
        if (!rule.write || (rule.writes && !rule.writes.includes(write))) return 405
        return may(role, 'write', name) ? success : 403
      }
      const filter = nothing(name)
      expect(['POST', name, await status('POST', `/${name}`, role, [])]).toEqual([
        'POST',
        name,
        expected('insert', 201),
      ])
      expect(['PATCH', name, await status('PATCH', `/${name}?${filter}`, role, {})]).toEqual([
        'PATCH',
        name,
        expected('update', 204),
      ])
      expect(['DELETE', name, await status('DELETE', `/${name}?${filter}`, role)]).toEqual([
        'DELETE',
        name,
        expected('delete', 204),
      ])
    })
  }, 120_000)

  test('calls the functions the matrix allows', async () => {
    for (const name of schema.routines.keys()) {
      const rule = functions[name] ?? hidden
      const answer = await api.get(`/rpc/${name}?no_such_argument=1`, { as: role })
      const allowed = rule !== hidden && can([role], rule.action, rule.resource)
      expect([name, answer.status, answer.object.code]).toEqual([
        name,
        rule === hidden || allowed ? 404 : 403,
        rule === hidden || allowed ? 'PGRST202' : '42501',
      ])
    }
  })

  test('embeds and filters through what the matrix allows', async () => {
    await inGroups([...schema.relationships.values()].flat(), async (relationship) => {
      const { from, to, middle, on } = relationship
      if (!may(role, 'read', from)) return
      const hint = middle ? middle.relation : relationship.constraint
      const served = ruleOf(to) !== undefined && (!middle || ruleOf(middle.relation) !== undefined)
      const allowed = may(role, 'read', to) && (!middle || may(role, 'read', middle.relation))
      // A pair of relations may be tied in several ways; only the refusal matters here.
      const accepted = !served ? [400] : allowed ? [200, 300] : [403, 300]
      const [column] = schema.relations.get(to)!.columns.keys()
      const embedded = await api.get(`/${from}?select=${to}!${hint}(${column})&limit=0`, { as: role })
      expect(accepted, `${from} → ${to} ${embedded.text}`).toContain(embedded.status)
      if (allowed) return
      const byKey = !middle && relationship.outgoing && on.length === 1 && schema.relations.get(to)!.kind === 'table'
      const ways = [
        `/${from}?${to}.${column}=not.is.null&limit=0`,
        `/${from}?select=*,${to}()&${to}=is.null&limit=0`,
        `/${from}?select=${to}(${column})&order=${to}(${column})&limit=0`,
        ...(byKey ? [`/${from}?select=${on[0]!.from}(*)&limit=0`] : []),
      ]
      for (const url of ways) expect([400, 403, 300], url).toContain((await api.get(url, { as: role })).status)
    })
  }, 120_000)
})

describe('what each role may not', () => {
  const refused = (role: Role, action: 'read' | 'write') =>
    [...schema.relations.keys()].filter((name) => ruleOf(name)?.[action] !== undefined && !may(role, action, name))
  const administrative = ['audit_log', 'connections', 'identities']
  test('[RBAC-03] admin: nothing', () => {
    expect([...refused('admin', 'read'), ...refused('admin', 'write')]).toEqual([])
  })
  test('[RBAC-04] editor: connections, identities, and what belongs to rbac', () => {
    expect(refused('editor', 'read')).toEqual(administrative)
    expect(refused('editor', 'write')).toEqual(['connections', 'identities', 'people'])
  })
  test('[RBAC-05] commander and responder: write all but incidents, responders, evidence and comments', () => {
    for (const role of ['commander', 'responder'] as const) {
      expect(refused(role, 'read')).toEqual(administrative)
      const writable = [...schema.relations.keys()].filter((name) => may(role, 'write', name))
      expect(writable).toEqual([
        'comment_responders',
        'comments',
        'evidences',
        'hypotheses',
        'incident_relationships',
        'incidents',
        'responders',
      ])
    }
  })
  test('[RBAC-06] viewer: reads the same as a responder and writes nothing', () => {
    expect(refused('viewer', 'read')).toEqual(refused('responder', 'read'))
    expect([...schema.relations.keys()].filter((name) => may('viewer', 'write', name))).toEqual([])
  })
})

test('secret columns of every relation, and of the views that show them, stay secret', async () => {
  const secrets = [...schema.relations.values()].flatMap((relation) =>
    [...relation.columns.values()].flatMap((column) => {
      const owner = [{ relation: relation.name, column: column.name }, column.origin].find(
        (o) => o && ruleOf(o.relation)?.secret?.includes(o.column),
      )
      return owner && ruleOf(relation.name)
        ? [{ relation: relation.name, column: column.name, owner: owner.relation }]
        : []
    }),
  )
  expect(secrets.map((s) => `${s.relation}.${s.column}`)).toEqual(
    expect.arrayContaining(['agents.tls', 'agents_summary.tls', 'connections.password']),
  )
  for (const { relation, column, owner } of secrets) {
    for (const role of roles) {
      if (!may(role, 'read', relation)) continue
      const visible = may(role, 'write', owner)
      const ways = [
        `/${relation}?${column}=not.is.null`,
        `/${relation}?order=${column}`,
        `/${relation}?or=(${column}.not.is.null)`,
        `/${relation}?select=${column}::text`,
      ]
      for (const url of ways)
        expect([role, url, await status('GET', url, role)]).toEqual([role, url, visible ? 200 : 403])
      const shown = (await api.get(`/${relation}?select=${column}`, { as: role })).rows
        .map((row) => row[column])
        .filter((value) => value !== null)
      expect(visible || shown.every((value) => value === '***')).toBe(true)
    }
  }
  expect((await api.get('/agents_summary?name=eq.eu-cluster', { as: 'viewer' })).rows).toMatchObject([{ tls: '***' }])
  expect((await api.get('/agents_summary?name=eq.eu-cluster', { as: 'admin' })).rows).toMatchObject([{ tls: 'key' }])
})

import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { identityRoutes } from '../../platform/auth/identity.routes.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { type Browser, browser, testServer } from '../../testing/http.ts'
import { aPerson, goodPassword, signedInAs } from '../../testing/identity.ts'
import { commandLine } from './act.ts'
import { addPerson, disable, setPassword, setRoles } from './people.service.ts'
import { peopleRoutes } from './people.routes.ts'
import { createToken, listTokens, revokeToken } from './tokens.service.ts'

const db = await testDatabase()
const ctx = testContext(db)
let app: FastifyInstance
let boss: { id: string; email: string }
let admin: Browser
let viewer: Browser
let editor: Browser

beforeAll(async () => {
  app = await testServer(ctx, [...identityRoutes, ...peopleRoutes])
  boss = await aPerson(ctx, ['admin'])
  admin = await signedInAs(app, boss.email)
  viewer = await signedInAs(app, (await aPerson(ctx, ['viewer'])).email)
  editor = await signedInAs(app, (await aPerson(ctx, ['editor'])).email)
})
afterAll(() => app.close())

const nobodyMay = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  expect((await browser(app).send({ method, url, payload })).statusCode).toBe(401)
  expect((await viewer.send({ method, url, payload })).statusCode).toBe(403)
}
const rolesOf = async (id: string) =>
  (await db.query<{ v1: string }>(`select v1 from casbin_rule where ptype = 'g' and v0 = $1 order by id`, [id])).map(
    ({ v1 }) => v1,
  )

describe('GET /auth/whoami', () => {
  test('answers the signed-in person under payload, with name, roles and rights', async () => {
    const answer = await admin.send({ url: '/api/auth/whoami' })
    expect(answer.json()).toEqual({
      message: 'success',
      payload: {
        user: { id: boss.id, name: expect.stringMatching(/^Pat Number/), email: boss.email, properties: {} },
        roles: ['admin'],
        permissions: [{ subject: 'admin', object: '*', action: '*', deny: false }],
        hostname: expect.any(String),
      },
    })
    expect((await browser(app).send({ url: '/api/auth/whoami' })).statusCode).toBe(401)
    const seen = (await viewer.send({ url: '/api/auth/whoami' })).json().payload
    expect(seen.roles).toEqual(['viewer'])
    expect(seen.permissions.some(({ action }: { action: string }) => action === 'write')).toBe(false)
  })

  test('somebody with a role of another console only is a viewer', async () => {
    const { id, email } = await aPerson(ctx)
    await db.run(`insert into casbin_rule (ptype, v0, v1) values ('g', $1, 'everyone')`, [id])
    const person = await signedInAs(app, email)
    const { payload } = (await person.send({ url: '/api/auth/whoami' })).json()
    expect(payload.roles).toEqual(['everyone'])
    expect(new Set(payload.permissions.map(({ subject }: { subject: string }) => subject))).toEqual(new Set(['viewer']))
  })
})

describe('POST /auth/invite_user', () => {
  const invite = (payload: object) => admin.send({ method: 'POST', url: '/api/auth/invite_user', payload })

  test('makes the account and, without mail, answers a link that opens it', async () => {
    await nobodyMay('POST', '/api/auth/invite_user', { firstName: 'a', lastName: 'b', email: 'c@example.test' })
    expect((await editor.send({ method: 'POST', url: '/api/auth/invite_user', payload: {} })).statusCode).toBe(403)
    const answer = await invite({ firstName: ' Zoë ', lastName: "O'Brien", email: 'Zoe@Example.test' })
    expect(answer.statusCode).toBe(200)
    const { id, link, mailed } = answer.json()
    expect(mailed).toBe(false)
    expect(await db.one('select name, email from people where id = $1', [id])).toEqual({
      name: "Zoë O'Brien",
      email: 'zoe@example.test',
    })
    const token = new URL(link).searchParams.get('token') as string
    expect(JSON.stringify(await db.query('select * from identity_flows'))).not.toContain(token)
    expect(JSON.stringify(await db.query('select * from audit_log'))).not.toContain(token)
    const visitor = browser(app)
    const opened = await visitor.send({
      url: new URL(link).pathname + new URL(link).search,
      headers: { accept: 'text/html' },
    })
    expect(opened.headers.location).toMatch(/^\/profile-settings\?flow=/)
    expect((await visitor.send({ url: '/api/auth/whoami' })).json().payload.user.name).toBe("Zoë O'Brien")
  })

  test('[AUTH-17] the identity has id, traits with name and address, and its times', async () => {
    const { id } = (
      await invite({ firstName: 'First', lastName: 'Last', email: 'shape@example.test', roles: ['responder'] })
    ).json()
    const row = await db.one(
      'select id, traits, state, created_at, updated_at, state_changed_at from identities where id = $1',
      [id],
    )
    expect(row).toEqual({
      id,
      traits: { email: 'shape@example.test', name: { first: 'First', last: 'Last' } },
      state: 'active',
      created_at: expect.any(Date),
      updated_at: expect.any(Date),
      state_changed_at: expect.any(Date),
    })
    expect(await db.one('select roles from people_roles where id = $1', [id])).toEqual({ roles: ['responder'] })
  })

  test('an existing person, also in other letters, is a clear conflict', async () => {
    const answer = await invite({ firstName: 'x', lastName: 'y', email: boss.email.toUpperCase() })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ code: 'conflict', message: 'User already exists' })
  })

  test.each([
    {},
    { firstName: '', lastName: 'b', email: 'a@example.test' },
    { firstName: 'a', lastName: 'b', email: 'nonsense' },
    { firstName: 'a', lastName: 'b', email: 'a@b' },
    { firstName: 'a\u0000', lastName: 'b', email: 'nul@example.test' },
    { firstName: 'a', lastName: '\ud800', email: 'half@example.test' },
    { firstName: 'x'.repeat(101), lastName: 'b', email: 'long@example.test' },
    { firstName: 'a', lastName: 'b', email: 'a@example.test', roles: ['root'] },
    { firstName: 'a', lastName: 'b', email: 'a@example.test\r\nBcc: x@example.test' },
  ])('%j is refused with 400', async (payload) => {
    const answer = await invite(payload)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'invalid', message: expect.any(String), details: expect.any(String) })
  })

  test('two invites of one address at once make one account', async () => {
    const payload = { firstName: 'a', lastName: 'b', email: 'twice@example.test' }
    const statuses = (await Promise.all([invite(payload), invite(payload), invite(payload)])).map(
      ({ statusCode }) => statusCode,
    )
    expect(statuses.toSorted()).toEqual([200, 409, 409])
  })

  test('somebody who is known without an account gets one and stays the same person', async () => {
    const { id } = await db.one<{ id: string }>(
      `insert into people (name, email) values ('Known', 'Known@example.test') returning id`,
    )
    expect((await invite({ firstName: 'Known', lastName: 'Person', email: 'known@example.test' })).json().id).toBe(id)
    expect(await db.one('select name, email from people where id = $1', [id])).toEqual({
      name: 'Known Person',
      email: 'known@example.test',
    })
  })

  test('a lost link can be renewed', async () => {
    const { id } = await aPerson(ctx)
    const answer = await admin.send({ method: 'POST', url: `/api/v1/people/${id}/link` })
    expect(answer.json()).toMatchObject({
      id,
      mailed: false,
      link: expect.stringContaining('/self-service/recovery?flow='),
    })
    await nobodyMay('POST', `/api/v1/people/${id}/link`)
  })
})

describe('POST /rbac/:id/update_role', () => {
  const update = (id: string, payload: object, as = admin) =>
    as.send({ method: 'POST', url: `/api/rbac/${id}/update_role`, payload })

  test('replaces the roles, which act at once, and ends the sessions of before', async () => {
    const { id, email } = await aPerson(ctx, ['viewer', 'responder'])
    const person = await signedInAs(app, email)
    const answer = await update(id, { roles: ['admin'] })
    expect(answer.json()).toEqual({ message: 'Role updated successfully' })
    expect(await rolesOf(id)).toEqual(['admin'])
    expect((await person.send({ url: '/api/rbac/dump' })).statusCode).toBe(401)
    expect((await (await signedInAs(app, email)).send({ url: '/api/rbac/dump' })).statusCode).toBe(200)
    await update(id, { roles: ['viewer'] })
    expect(await rolesOf(id)).toEqual(['viewer'])
    expect((await (await signedInAs(app, email)).send({ url: '/api/rbac/dump' })).statusCode).toBe(403)
    const [entry] = await db.query<{ details: object }>(
      `select details from audit_log where action = 'roles_changed' order by at desc limit 1`,
    )
    expect(entry?.details).toEqual({ from: ['admin'], to: ['viewer'] })
  })

  test('bad input and those who may not are refused', async () => {
    const { id } = await aPerson(ctx)
    for (const payload of [{}, { roles: [] }, { roles: ['king'] }, { roles: 'admin' }, { roles: [null] }]) {
      expect((await update(id, payload)).statusCode).toBe(400)
    }
    expect((await update('nonsense', { roles: ['viewer'] })).statusCode).toBe(400)
    expect((await update('00000000-0000-4000-8000-00000000ffff', { roles: ['viewer'] })).statusCode).toBe(404)
    expect((await update(id, { roles: ['viewer'] }, editor)).statusCode).toBe(403)
    await nobodyMay('POST', `/api/rbac/${id}/update_role`, { roles: ['admin'] })
  })
})

describe('the last administrator', () => {
  test('cannot be demoted or deactivated, also not two by each other at once', async () => {
    const separate = testContext(await testDatabase())
    const server = await testServer(separate, [...identityRoutes, ...peopleRoutes])
    const one = await aPerson(separate, ['admin'])
    const two = await aPerson(separate, ['admin'])
    const [first, second] = [await signedInAs(server, one.email), await signedInAs(server, two.email)]
    const demote = (as: Browser, id: string) =>
      as.send({ method: 'POST', url: `/api/rbac/${id}/update_role`, payload: { roles: ['viewer'] } })
    const statuses = (await Promise.all([demote(first, two.id), demote(second, one.id)])).map(
      ({ statusCode }) => statusCode,
    )
    // The slower one is either no administrator any more or would be taking away the last.
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const [left, leftId] = statuses[0] === 200 ? [first, one.id] : [second, two.id]
    const alone = await demote(left, leftId)
    expect(alone.statusCode).toBe(409)
    expect(alone.json()).toMatchObject({
      code: 'last_administrator',
      message: 'The last administrator cannot lose the role admin',
    })
    const off = await left.send({
      method: 'POST',
      url: `/api/auth/${leftId}/update_state`,
      payload: { state: 'inactive' },
    })
    expect(off.statusCode).toBe(409)
    // An invited administrator who never signed in does not count.
    await left.send({
      method: 'POST',
      url: '/api/auth/invite_user',
      payload: { firstName: 'a', lastName: 'b', email: 'late@example.test', roles: ['admin'] },
    })
    expect((await demote(left, leftId)).statusCode).toBe(409)
    await server.close()
  })
})

describe('POST /auth/:id/update_state and /properties', () => {
  test('switches an account off and on', async () => {
    const { id, email } = await aPerson(ctx)
    const url = `/api/auth/${id}/update_state`
    await nobodyMay('POST', url, { state: 'inactive' })
    expect((await admin.send({ method: 'POST', url, payload: { id, state: 'inactive' } })).json()).toEqual({
      message: 'success',
    })
    await expect(signedInAs(app, email)).rejects.toThrow('deactivated')
    await admin.send({ method: 'POST', url, payload: { state: 'active' } })
    await signedInAs(app, email)
    for (const payload of [{}, { state: 'gone' }, { id: boss.id, state: 'active' }]) {
      expect((await admin.send({ method: 'POST', url, payload })).statusCode).toBe(400)
    }
  })

  test('properties are merged, by oneself or an administrator', async () => {
    const { id, email } = await aPerson(ctx)
    const person = await signedInAs(app, email)
    await person.send({ method: 'POST', url: `/api/auth/${id}/properties`, payload: { theme: 'dark', a: 1 } })
    await admin.send({ method: 'POST', url: `/api/auth/${id}/properties`, payload: { a: 2 } })
    expect((await person.send({ url: '/api/auth/whoami' })).json().payload.user.properties).toEqual({
      theme: 'dark',
      a: 2,
    })
    expect(
      (await viewer.send({ method: 'POST', url: `/api/auth/${id}/properties`, payload: { a: 3 } })).statusCode,
    ).toBe(403)
    expect((await person.send({ method: 'POST', url: `/api/auth/${id}/properties`, payload: [1] })).statusCode).toBe(
      400,
    )
  })
})

describe('access and policies', () => {
  test('what a person may do is explained to administrators and to oneself', async () => {
    const { id, email } = await aPerson(ctx, ['responder'])
    const person = await signedInAs(app, email)
    for (const as of [admin, person]) {
      const { roles, grants, sign_in } = (await as.send({ url: `/api/v1/access/${id}` })).json()
      expect(roles).toEqual([{ role: 'responder', why: 'given to this person' }])
      expect(sign_in).toEqual({ password: true, sessions: 1, tokens: 0 })
      expect(
        grants.find(
          (one: { resource: string; action: string }) => one.resource === 'incident' && one.action === 'write',
        ),
      ).toMatchObject({ allowed: true, because: ['responder'] })
    }
    expect((await viewer.send({ url: `/api/v1/access/${id}` })).statusCode).toBe(403)
    expect((await admin.send({ url: '/api/v1/access/00000000-0000-4000-8000-00000000ffff' })).statusCode).toBe(404)
    expect((await admin.send({ url: '/api/v1/access/x' })).statusCode).toBe(400)
  })

  test('all policies are dumped to administrators', async () => {
    await nobodyMay('GET', '/api/rbac/dump')
    const policies = (await admin.send({ url: '/api/rbac/dump' })).json()
    expect(policies).toContainEqual({ subject: 'admin', object: '*', action: '*', deny: false })
    expect(policies).toContainEqual({ subject: 'viewer', object: 'incident', action: 'read', deny: false })
    expect(policies).not.toContainEqual(expect.objectContaining({ subject: 'editor', object: 'rbac' }))
  })
})

describe('the audit log', () => {
  test('lists newest first, filters, pages, and cannot be changed', async () => {
    await nobodyMay('GET', '/api/v1/audit')
    const all = (await admin.send({ url: '/api/v1/audit?limit=5' })).json()
    expect(all.rows).toHaveLength(5)
    expect(all.total).toBeGreaterThan(5)
    const next = (await admin.send({ url: '/api/v1/audit?limit=5&offset=5' })).json()
    expect(next.rows[0].id).not.toBe(all.rows[0].id)
    const mine = (
      await admin.send({ url: `/api/v1/audit?actor=${boss.id}&action=person_invited,roles_changed` })
    ).json()
    expect(new Set(mine.rows.map(({ actor_id }: { actor_id: string }) => actor_id))).toEqual(new Set([boss.id]))
    expect((await admin.send({ url: '/api/v1/audit?search=zoe%40example' })).json().total).toBeGreaterThan(0)
    expect((await admin.send({ url: '/api/v1/audit?search=%25%25nothing_' })).json().total).toBe(0)
    expect((await admin.send({ url: '/api/v1/audit?to=2000-01-01T00:00:00Z' })).json()).toEqual({ rows: [], total: 0 })
    expect(
      (await admin.send({ url: '/api/v1/audit?outcome=failure' }))
        .json()
        .rows.every(({ outcome }: { outcome: string }) => outcome === 'failure'),
    ).toBe(true)
    for (const bad of ['limit=0', 'limit=x', 'actor=me', 'from=yesterday', 'outcome=maybe', 'offset=-1']) {
      expect((await admin.send({ url: `/api/v1/audit?${bad}` })).statusCode).toBe(400)
    }
    await expect(db.run('delete from audit_log')).rejects.toThrow()
    await expect(db.run(`update audit_log set action = 'x'`)).rejects.toThrow()
  })

  test('exports as CSV that a spreadsheet does not run', async () => {
    await db.run(`insert into audit_log (action, object_name) values ('test', '=cmd()|"x",y')`)
    const answer = await admin.send({ url: '/api/v1/audit?format=csv&action=test' })
    expect(answer.headers['content-type']).toContain('text/csv')
    expect(answer.headers['content-disposition']).toContain('audit-log.csv')
    const [head, line] = answer.body.split('\r\n') as [string, string]
    expect(head).toBe(
      'id,at,action,outcome,actor_id,actor_name,object_type,object_id,object_name,ip,user_agent,details',
    )
    expect(line).toContain(`"'=cmd()|""x"",y"`)
    await db.run(
      `insert into audit_log (action, at) select 'many', now() - n * interval '1 second' from generate_series(1, 4500) n`,
    )
    const many = await admin.send({ url: '/api/v1/audit?action=many', headers: { accept: 'text/csv' } })
    expect(many.body.trim().split('\r\n')).toHaveLength(4501)
  })

  test('exports also what happened at the same moment', async () => {
    await db.run(`insert into audit_log (action, at) select 'at_once', now() from generate_series(1, 2500)`)
    const answer = await admin.send({ url: '/api/v1/audit?format=csv&action=at_once' })
    expect(answer.body.trim().split('\r\n')).toHaveLength(2501)
  })

  test('can be asked for every act at once', async () => {
    const all = Array.from({ length: 60 }, (_, n) => `some_longer_action_${n}`).join(',')
    expect((await admin.send({ url: `/api/v1/audit?action=${all}` })).statusCode).toBe(200)
  })
})

describe('GET /kubeconfig', () => {
  test('gives administrators and editors a file whose token works', async () => {
    await nobodyMay('GET', '/api/kubeconfig')
    const answer = await editor.send({ url: '/api/kubeconfig', headers: { host: 'ops.example.test' } })
    expect(answer.headers['content-type']).toContain('text/yaml')
    expect(answer.headers['content-disposition']).toBe('attachment; filename=ops-kubeconfig.yaml')
    const file = parse(answer.body)
    expect(file).toMatchObject({
      kind: 'Config',
      'current-context': 'default',
      clusters: [{ name: 'mission-control-ops', cluster: { server: 'http://ops.example.test/api/kubeproxy' } }],
      users: [{ user: { username: 'token' } }],
    })
    const { password } = file.users[0].user
    const authorization = `Basic ${Buffer.from(`token:${password}`).toString('base64')}`
    expect((await app.inject({ url: '/api/auth/whoami', headers: { authorization } })).json().payload.roles).toEqual([
      'editor',
    ])
    const before = await db.one('select count(*) from access_tokens')
    await editor.send({ method: 'HEAD', url: '/api/kubeconfig' })
    expect(await db.one('select count(*) from access_tokens')).toEqual(before)
    expect((await app.inject({ url: '/api/kubeproxy/api/v1/pods', headers: { authorization } })).statusCode).toBe(501)
  })
})

describe('for the command line', () => {
  test('people are added, changed and disabled, and mistakes are named', async () => {
    const email = 'cli@example.test'
    const id = await addPerson(ctx, commandLine, {
      firstName: 'C',
      lastName: 'Li',
      email,
      roles: ['editor'],
      password: goodPassword,
    })
    expect(await rolesOf(id)).toEqual(['editor'])
    await setRoles(ctx, commandLine, email, ['viewer'])
    await setPassword(ctx, commandLine, email, 'changed by command')
    await signedInAs(app, email, 'changed by command')
    await disable(ctx, commandLine, email)
    await expect(signedInAs(app, email, 'changed by command')).rejects.toThrow('deactivated')
    await expect(
      addPerson(ctx, commandLine, { firstName: 'C', lastName: 'Li', email, password: goodPassword }),
    ).rejects.toThrow('User already exists')
    await expect(setPassword(ctx, commandLine, email, 'short')).rejects.toThrow('at least 8')
    await expect(setPassword(ctx, commandLine, 'nobody@example.test', goodPassword)).rejects.toThrow('was not found')
    const [entry] = await db.query<{ actor_name: string }>(
      `select actor_name from audit_log where action = 'person_deactivated' order by at desc limit 1`,
    )
    expect(entry?.actor_name).toBe('command line')
  })

  test('tokens are made, listed without their secret, and revoked', async () => {
    const { id, token } = await createToken(ctx, commandLine, { person: boss.email, name: 'backup', expiresAt: null })
    const listed = await listTokens(ctx, boss.email)
    expect(listed).toMatchObject([{ id, name: 'backup', person_id: boss.id, expires_at: null }])
    expect(JSON.stringify(listed)).not.toContain(token)
    expect(Object.keys(listed[0] ?? {})).not.toContain('value')
    await expect(
      createToken(ctx, commandLine, { person: boss.email, name: 'backup', expiresAt: null }),
    ).rejects.toThrow('already')
    await expect(createToken(ctx, commandLine, { person: boss.email, name: '', expiresAt: null })).rejects.toThrow(
      'name',
    )
    await expect(
      createToken(ctx, commandLine, { person: boss.email, name: 'old', expiresAt: new Date(0) }),
    ).rejects.toThrow('ahead')
    await revokeToken(ctx, commandLine, id)
    await expect(revokeToken(ctx, commandLine, id)).rejects.toThrow('was not found')
  })
})

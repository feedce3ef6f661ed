import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { identityRoutes } from '../../platform/auth/identity.routes.ts'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { type Browser, testServer } from '../../testing/http.ts'
import { aPerson, signedInAs } from '../../testing/identity.ts'
import { commandLine } from './act.ts'
import { peopleRoutes } from './people.routes.ts'
import { setRoles } from './people.service.ts'

const db = await testDatabase()
const clock = fakeClock('2026-01-15T10:00:00Z')
const ctx = testContext(db, { clock })
let app: FastifyInstance
let visitor: Browser
let person: { id: string; email: string }

beforeAll(async () => {
  app = await testServer(ctx, [...identityRoutes, ...peopleRoutes])
  void (await aPerson(ctx, ['admin']))
})
afterAll(() => app.close())
beforeEach(async () => {
  clock.set('2026-01-15T10:00:00Z')
  person = await aPerson(ctx, ['editor'])
  visitor = await signedInAs(app, person.email)
})

const make = (payload: object, as = visitor) => as.send({ method: 'POST', url: '/api/v1/tokens', payload })
const use = (token: string, url = '/api/auth/whoami', method: 'GET' | 'POST' | 'DELETE' = 'GET', payload?: object) =>
  app.inject({ url, method, payload, headers: { accept: 'application/json', authorization: `Bearer ${token}` } })

describe('personal access tokens', () => {
  test('are made, listed without their secret, used, and revoked at once', async () => {
    const { id, token } = (await make({ name: 'deploy', days: 30 })).json()
    expect((await use(token)).json().payload.user.id).toBe(person.id)
    const listed = await visitor.send({ url: '/api/v1/tokens' })
    expect(listed.json()).toEqual([
      {
        id,
        name: 'deploy',
        created_at: '2026-01-15T10:00:00.000Z',
        expires_at: '2026-02-14T10:00:00.000Z',
        roles: null,
      },
    ])
    expect(listed.body).not.toContain(token.split('.')[0])
    const other = await signedInAs(app, (await aPerson(ctx)).email)
    expect((await other.send({ url: '/api/v1/tokens' })).json()).toEqual([])
    const remove = (as: Browser) => as.send({ method: 'DELETE', url: `/api/v1/tokens/${id}` })
    expect((await remove(other)).statusCode).toBe(404)
    expect((await use(token)).statusCode).toBe(200)
    expect((await remove(visitor)).statusCode).toBe(204)
    expect((await use(token)).statusCode).toBe(401)
  })

  test('end when they said they would', async () => {
    const { token } = (await make({ name: 'short', days: 1 })).json()
    clock.add(23 * 3_600_000)
    expect((await use(token)).statusCode).toBe(200)
    clock.add(2 * 3_600_000)
    expect((await use(token)).statusCode).toBe(401)
  })

  test('do no more than their scope, and never more than the person may now', async () => {
    const { token } = (await make({ name: 'reader', roles: ['viewer'] })).json()
    const wide = (await make({ name: 'wide' })).json().token as string
    expect((await use(token)).json().payload.roles).toEqual(['viewer'])
    expect((await use(wide)).json().payload.roles).toEqual(['editor'])
    expect((await use(wide, '/api/v1/audit')).statusCode).toBe(403)
    const tooMuch = await make({ name: 'king', roles: ['admin'] })
    expect(tooMuch.statusCode).toBe(400)
    expect(tooMuch.json().message).toContain('cannot be admin')
    const narrow = (await make({ name: 'editor', roles: ['editor'] })).json().token as string
    await setRoles(ctx, commandLine, person.id, ['viewer'])
    expect((await use(wide)).json().payload.roles).toEqual(['viewer'])
    expect((await use(narrow)).statusCode).toBe(401)
    expect((await use(token)).statusCode).toBe(200)
  })

  test('cannot be made into more: no others, no kubeconfig, no account, none taken away', async () => {
    const { id: kept } = (await make({ name: 'kept' })).json()
    for (const body of [{ name: 'wide' }, { name: 'narrow', roles: ['viewer'] }, { name: 'same', roles: ['editor'] }]) {
      const { token } = (await make(body)).json()
      expect((await use(token, '/api/v1/tokens', 'POST', { name: 'second' })).statusCode).toBe(403)
      expect((await use(token, '/api/kubeconfig')).statusCode).toBe(403)
      expect((await use(token, `/api/v1/tokens/${kept}`, 'DELETE')).statusCode).toBe(403)
      expect((await use(token, '/api/.ory/sessions')).statusCode).toBe(401)
      expect((await use(token, '/api/.ory/self-service/settings/browser')).statusCode).toBe(401)
      expect((await use(token, `/api/rbac/${person.id}/update_role`, 'POST', { roles: ['admin'] })).statusCode).toBe(
        403,
      )
      expect((await use(token, `/api/auth/${person.id}/update_state`, 'POST', { state: 'active' })).statusCode).toBe(
        403,
      )
    }
    expect(await db.run('select 1 from access_tokens where person_id = $1', [person.id])).toBe(4)
  })

  test('bad input is refused', async () => {
    await make({ name: 'first' })
    for (const bad of [
      {},
      { name: '' },
      { name: 'x', days: 0 },
      { name: 'x', days: 4000 },
      { name: 'x', roles: [] },
      { name: 'x', roles: ['king'] },
    ])
      expect((await make(bad)).statusCode).toBe(400)
    expect((await make({ name: 'first' })).statusCode).toBe(409)
    expect((await app.inject({ url: '/api/v1/tokens' })).statusCode).toBe(401)
  })
})

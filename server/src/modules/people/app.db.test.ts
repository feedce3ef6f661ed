import { can, roles } from '@quarterdeck/contract/permissions'
import { expect, test } from 'vitest'
import { buildApiApp, buildApp } from '../../app.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { browser } from '../../testing/http.ts'
import { aPerson, goodPassword, signedInAs, valueOf } from '../../testing/identity.ts'

/** The whole product's routes, mounted as they are served. */
const db = await testDatabase()
const ctx = testContext(db)

test('[AUTH-16] whoami answers the signed-in person under payload, about an object with Version', async () => {
  const app = await buildApp(ctx)
  const { id, email } = await aPerson(ctx, ['admin'])
  const admin = await signedInAs(app, email)
  const who = (await admin.send({ url: '/api/auth/whoami' })).json()
  expect(who.payload.user).toMatchObject({ id, email, name: expect.stringMatching(/^Pat Number/) })
  expect((await admin.send({ url: '/api/about' })).json()).toMatchObject({ Version: expect.any(String) })
  expect((await admin.send({ url: '/api/canary/about' })).json()).toMatchObject({ Version: expect.any(String) })
  const last = await admin.send({
    method: 'DELETE',
    url: `/api/db/identities?id=eq.${id}`,
    headers: { prefer: 'return=representation' },
  })
  expect(last.json()).toMatchObject({ code: 'last_administrator' })
  await app.close()
})

test.each(roles)(
  '[RBAC-14] inviting and deleting users needs write on identities, a role change write on rbac: %s',
  async (role) => {
    const app = await buildApp(ctx)
    const { email } = await aPerson(ctx, [role])
    const target = await aPerson(ctx)
    const person = await signedInAs(app, email)
    const invite = { firstName: 'New', lastName: 'One', email: `by-${role}@example.test` }
    const statuses = [
      (await person.send({ method: 'POST', url: '/api/auth/invite_user', payload: invite })).statusCode,
      (await person.send({ method: 'POST', url: `/api/rbac/${target.id}/update_role`, payload: { roles: ['viewer'] } }))
        .statusCode,
      (await person.send({ method: 'DELETE', url: `/api/db/identities?id=eq.${target.id}` })).statusCode,
    ]
    const mayInvite = can([role], 'write', 'identities')
    expect(statuses).toEqual([mayInvite ? 200 : 403, can([role], 'write', 'rbac') ? 200 : 403, mayInvite ? 204 : 403])
    expect(mayInvite).toBe(role === 'admin')
    await app.close()
  },
)

test('the second listener has the same at its root, identity under /kratos', async () => {
  const app = await buildApiApp(ctx)
  const { email } = await aPerson(ctx, ['editor'])
  const visitor = browser(app)
  const flow = (await visitor.send({ url: '/kratos/self-service/login/browser' })).json()
  expect(new URL(flow.ui.action).pathname).toBe('/kratos/self-service/login')
  const action = new URL(flow.ui.action)
  const payload = {
    csrf_token: valueOf(flow, 'csrf_token'),
    method: 'password',
    identifier: email,
    password: goodPassword,
  }
  expect((await visitor.send({ method: 'POST', url: action.pathname + action.search, payload })).statusCode).toBe(200)
  expect((await visitor.send({ url: '/auth/whoami' })).json().payload.user.email).toBe(email)
  const file = await visitor.send({ url: '/kubeconfig', headers: { host: 'ops.example.test:8080' } })
  expect(file.body).toContain('server: http://ops.example.test:8080/kubeproxy')
  await app.close()
})

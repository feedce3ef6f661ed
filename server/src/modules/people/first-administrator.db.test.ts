import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openDb } from '../../platform/db/db.ts'
import { identityRoutes } from '../../platform/auth/identity.routes.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { testServer } from '../../testing/http.ts'
import { signedInAs } from '../../testing/identity.ts'
import { commandLine } from './act.ts'
import { ensureFirstAdministrator } from './first-administrator.ts'
import { addPerson } from './people.service.ts'

const admins = `select p.id, p.email from people p join casbin_rule r on r.v0 = p.id::text and r.v1 = 'admin'`

test('the first start makes one administrator, however many processes start at once', async () => {
  const db = await testDatabase()
  const pools = Array.from({ length: 4 }, () => openDb({ url: db.url, max: 2 }))
  const made = await Promise.all(pools.map((pool) => ensureFirstAdministrator(testContext(pool))))
  await Promise.all(pools.map((pool) => pool.close()))
  const [first, ...others] = made.filter((one) => one !== undefined)
  expect(others).toEqual([])
  expect(first).toEqual({ email: 'admin@quarterdeck.local', password: expect.stringMatching(/^\w{5}(-\w{5}){3}$/) })
  const [row, ...more] = await db.query<{ id: string; email: string }>(admins)
  expect(more).toEqual([])
  expect(await db.one('select id from identities')).toEqual({ id: row?.id })

  const ctx = testContext(db)
  const app = await testServer(ctx, identityRoutes)
  await signedInAs(app, 'admin@quarterdeck.local', first?.password)
  await app.close()
  expect(await ensureFirstAdministrator(ctx)).toBeUndefined()
  expect(JSON.stringify(await db.query('select * from audit_log'))).not.toContain(first?.password)
})

test('address and password come from the settings, and the password is not told again', async () => {
  const db = await testDatabase()
  const config = readConfig({
    QUARTERDECK_ADMIN_EMAIL: 'Boss@Example.test',
    QUARTERDECK_ADMIN_PASSWORD: 'given by setting',
  })
  const ctx = testContext(db, { config })
  expect(await ensureFirstAdministrator(ctx)).toEqual({ email: 'boss@example.test' })
  const app = await testServer(ctx, identityRoutes)
  await signedInAs(app, 'boss@example.test', 'given by setting')
  await app.close()
})

test('an administrator without any way to sign in gets one, somebody else keeps theirs', async () => {
  const db = await testDatabase()
  await ensureFirstAdministrator(testContext(db, { config: readConfig({ QUARTERDECK_AUTH: 'none' }) }))
  expect(await db.query('select 1 from identity_credentials')).toEqual([])
  const ctx = testContext(db)
  const first = await ensureFirstAdministrator(ctx)
  expect(first?.password).toBeDefined()
  expect(await db.query(admins)).toHaveLength(1)

  await addPerson(ctx, commandLine, {
    firstName: 'A',
    lastName: 'B',
    email: 'other@example.test',
    roles: ['admin'],
    password: 'correct horse',
  })
  await db.run(`update identities set state = 'inactive' where traits ->> 'email' = 'admin@quarterdeck.local'`)
  expect(await ensureFirstAdministrator(ctx)).toBeUndefined()
})

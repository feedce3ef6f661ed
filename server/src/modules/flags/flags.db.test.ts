import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDisabled, type Property } from '@quarterdeck/contract/flags'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { identityRoutes } from '../../platform/auth/identity.routes.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { testServer } from '../../testing/http.ts'
import { aPerson, signedInAs } from '../../testing/identity.ts'
import { flagRoutes } from './flags.routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-flags-'))
const file = join(folder, 'properties')
const db = await testDatabase()
const ctx = testContext(db, { config: readConfig({ QUARTERDECK_PROPERTIES_FILE: file }) })
const app = await testServer(ctx, [...identityRoutes, ...flagRoutes])
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test('GET /properties answers file and table in one list; the file wins, deleted rows are left out', async () => {
  expect((await app.inject('/api/properties')).statusCode).toBe(401)
  const viewer = await signedInAs(app, (await aPerson(ctx)).email)
  const list = async () => (await viewer.send({ url: '/api/properties' })).json<Property[]>()
  expect(await list()).toEqual([])

  await db.run(`insert into properties (name, value, deleted_at) values
    ('incidents.disable', 'true', null), ('log.level', 'debug', null), ('gone.disable', 'true', now())`)
  writeFileSync(file, '# switches\nlog.level = info\n\nlogs.disable=true\nnonsense\nurl=https://a.test/?x=y\n')
  expect(await list()).toEqual([
    { name: 'log.level', value: 'info', source: 'local', type: '', description: '' },
    { name: 'logs.disable', value: 'true', source: 'local', type: '', description: '' },
    { name: 'url', value: 'https://a.test/?x=y', source: 'local', type: '', description: '' },
    { name: 'incidents.disable', value: 'true', source: 'db', type: '', description: '' },
  ])
  expect(isDisabled(await list(), 'incidents')).toBe(true)
  await db.run(`delete from properties where name = 'incidents.disable'`)
  expect(isDisabled(await list(), 'incidents')).toBe(false)
})

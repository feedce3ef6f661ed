import { expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { callAs, routeApp } from '../../testing/route-app.ts'
import { rows, systemPerson } from '../../testing/rows.ts'
import { commandLine } from '../people/act.ts'
import { addPerson } from '../people/people.service.ts'
import { integrationRoutes } from './integrations.routes.ts'

const db = await testDatabase()
const ctx = testContext(db)
const make = rows(db)

test('what somebody is needed for is told before the account goes, and teams let go of them', async () => {
  const id = await addPerson(ctx, commandLine, { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.test' })
  const team = await make.insert('teams', { name: 'shop', spec: {}, created_by: systemPerson })
  await make.insert('team_members', { team_id: team.id, person_id: id })
  await make.insert('notifications', { title: 'to Ann', events: ['check.failed'], person_id: id })
  const about = await routeApp(ctx, integrationRoutes)
  const ask = (role: 'admin' | 'editor') => callAs(about, role, 'GET', `/v1/resources/identities/${id}/about`)
  expect((await ask('admin')).body).toEqual({
    file: null,
    uses: [
      { what: 'notification that goes to nobody else', count: 1, names: ['to Ann'], blocks: false },
      { what: 'team', count: 1, names: ['shop'], blocks: false },
    ],
  })
  expect((await ask('editor')).status).toBe(403)
  await db.run('delete from identities where id = $1', [id])
  expect(await db.query('select 1 from team_members where person_id = $1', [id])).toEqual([])
  expect(await db.one('select deleted_at is not null as gone from people where id = $1', [id])).toEqual({ gone: true })
})

import { expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { actor, testApi } from './testing.ts'

const db = await testDatabase()
await db.run(`insert into people (id, name, email) values ($1, 'Acting Person', 'acting@example.test')`, [actor])
const api = await testApi(db)
const representation = { as: 'responder', prefer: 'return=representation' } as const

test('[RBAC-18] whoever creates an incident, a comment or a responder is recorded as its creator', async () => {
  const incident = await api.post(
    '/incidents',
    { title: 'Down', description: '', severity: 'high', type: 'availability', status: 'open', commander_id: actor },
    representation,
  )
  expect(incident.status).toBe(201)
  const [{ id, created_by: by }] = incident.rows as [{ id: string; created_by: string }]
  expect(by).toBe(actor)
  const comment = await api.post('/comments', { incident_id: id, comment: 'Looking' }, representation)
  expect(comment.rows).toMatchObject([{ created_by: actor }])
  const responder = await api.post('/responders', { incident_id: id, type: 'person', person_id: actor }, representation)
  expect(responder.rows).toMatchObject([{ created_by: actor }])
  const history = await api.get(`/incident_histories?incident_id=eq.${id}&type=eq.incident.created`)
  expect(history.rows).toMatchObject([{ created_by: actor }])
})

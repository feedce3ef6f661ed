import Fastify from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { registerDataApi } from '../../data-api/data-api.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { systemPerson } from '../../testing/rows.ts'
import { registerScraperRules } from './scraper-rules.ts'

const db = await testDatabase()
const api = Fastify()
beforeAll(async () => {
  const data = await registerDataApi(api, testContext(db), {
    prefix: '/db',
    principalOf: () => ({ kind: 'person', id: systemPerson, name: 'System', email: null, roles: ['editor'] }),
  })
  registerScraperRules(data)
  await data.reload()
  return () => api.close()
})
const save = async (row: object) => {
  const answer = await api.inject({
    method: 'POST',
    url: '/db/config_scrapers',
    headers: { prefer: 'return=representation' },
    payload: { name: 'racks', source: 'UI', spec: {}, ...row },
  })
  return { status: answer.statusCode, body: answer.json() }
}
const file = (more: object) => ({ spec: { file: [{ type: 'T::T', id: '$.id', ...more }] } })

test.each([
  [{ name: ' ' }, 'name cannot be empty'],
  [{ spec: 'file: []' }, 'spec must be an object'],
  [{ spec: { files: [] } }, /^spec: .*files/],
  [{ spec: { schedule: 'whenever' } }, /^spec\.schedule: /],
  [{ spec: { retention: { changes: [{ name: 'diff' }] } } }, 'spec.retention.changes[0]: age or count is needed'],
  [{ spec: { sql: [{ type: 'T', id: 'x', connection: 'postgres://h/d' }] } }, /^spec\.sql\[0\]\.query: /],
  [file({ items: '$.[' }), /^file\[0\]: items: /],
  [
    file({ transform: { mask: [{ selector: 'a ==', jsonpath: '$.x', value: '' }] } }),
    /^file\[0\]: transform\.mask\[0\]\.selector: /,
  ],
])('%j is refused', async (row, message) => {
  const { status, body } = await save(row)
  expect(status).toBe(400)
  if (typeof message === 'string') expect(body.message).toBe(message)
  else expect(body.message).toMatch(message)
})

test('what is right is saved, also what only other servers run', async () => {
  expect((await save(file({ schedule: '' }))).status).toBe(201)
  expect((await save({ name: 'cloud', spec: { schedule: '@every 1h', gcp: [{ project: 'x' }] } })).status).toBe(201)
  const { body } = await save({ name: 'later', spec: {} })
  const change = await api.inject({
    method: 'PATCH',
    url: `/db/config_scrapers?id=eq.${body[0].id}`,
    payload: { deleted_at: 'now()' },
  })
  expect(change.statusCode).toBeLessThan(300)
})

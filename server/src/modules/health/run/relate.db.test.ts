import { expect, test } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { testDatabase } from '../../../testing/database.ts'
import type { CommonSpec } from '../kind.ts'
import type { FinishInput } from './finish.ts'
import { relate } from './relate.ts'

const db = await testDatabase()
const evaluator = {
  evaluate: async (block: { expr?: string }, env: Record<string, unknown>) => env[block.expr ?? ''] ?? '',
}

async function aConfig(name: string, more: { type?: string; tags?: object; labels?: object } = {}): Promise<string> {
  const id = newId()
  await db.run(
    `insert into config_items (id, name, type, config_class, tags, labels, external_id) values ($1, $2, $3, 'x', $4, $5, array[$2])`,
    [id, name, more.type ?? 'Kubernetes::Pod', more.tags ?? {}, more.labels ?? {}],
  )
  return id
}
const [canary, check] = [newId(), newId()]
await db.run(`insert into canaries (id, name, namespace, spec) values ($1, 'c', 'd', '{}')`, [canary])
await db.run(`insert into checks (id, canary_id, type, name) values ($1, $2, 'http', 'x')`, [check, canary])
const input = (relationships: CommonSpec['relationships'], data: Record<string, unknown> = {}): FinishInput => ({
  outcome: { pass: true, data },
  elapsed: 1,
  canary: { id: canary, name: 'c', namespace: 'd', labels: {} },
  check: { id: check, name: 'x', type: 'http', labels: { app: 'web-1' }, endpoint: '' },
  spec: { name: 'x', relationships },
  templatable: true,
  lastResult: async () => ({}),
})
const linked = async () =>
  (
    await db.query<{ config_id: string }>(
      'select config_id from check_config_relationships where check_id = $1 and deleted_at is null',
      [check],
    )
  ).map((row) => row.config_id)

test('selectors link by value, label and expression; what no longer matches is unlinked', async () => {
  const [one, two] = [await aConfig('web-1', { tags: { namespace: 'shop' } }), await aConfig('web-2')]
  await relate(db, evaluator, input({ configs: [{ name: { label: 'app' }, namespace: { value: 'shop' } }] }))
  expect(await linked()).toEqual([one])
  await relate(
    db,
    evaluator,
    input({ configs: [{ name: { expr: 'pod' }, type: { value: 'Kubernetes::Pod' } }] }, { pod: 'web-2' }),
  )
  expect(await linked()).toEqual([two])
  await relate(db, evaluator, input({ configs: [{ name: { label: 'app' }, namespace: { value: 'shop' } }] }))
  expect(await linked()).toEqual([one])
})

test('a key that gives nothing, an unknown key and an empty selector match nothing', async () => {
  await aConfig('lonely')
  for (const selector of [{ name: { label: 'missing' } }, {}, { colour: { value: 'x' } }]) {
    await relate(db, evaluator, input({ configs: [selector] }))
    expect(await linked()).toEqual([])
  }
})

test('odd values are values, never SQL', async () => {
  await relate(
    db,
    evaluator,
    input({ configs: [{ id: { value: `' or true --` } }, { name: { value: `"; drop table checks` } }] }),
  )
  expect(await linked()).toEqual([])
})

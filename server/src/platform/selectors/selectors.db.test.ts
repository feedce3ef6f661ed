import { resourceKinds, type ResourceKind, type ResourceSelector } from '@quarterdeck/contract/selectors'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { rows } from '../../testing/rows.ts'
import { findIds, idsOf } from './find.ts'
import { kindColumns } from './kinds.ts'
import { SelectorError } from './requirements.ts'
import { matchesSelector, readSelector, type Resource } from './selector.ts'

const db = await testDatabase()
const make = rows(db)
const stored: Record<ResourceKind, Resource[]> = { configs: [], checks: [], components: [] }

beforeAll(async () => {
  const edge = await make.anAgent({ name: 'edge' })
  const scraper = await make.insert('config_scrapers', { name: 'kube', spec: {}, source: 'UI' })
  const canary = await make.aCanary({ name: 'shop', namespace: 'web' })
  const topology = await make.insert('topologies', { name: 'pay', namespace: 'web', spec: {} })
  const labels = [
    null,
    {},
    { app: 'web', tier: 'front' },
    { app: 'db', size: '12' },
    { app: "o'neil; --", 'app.kubernetes.io/name': 'x%_\\' },
  ]
  const names = ['web-1', 'Web-2', 'db', 'a%b_c', 'x']
  for (const [index, label] of labels.entries()) {
    const agent_id = index === 3 ? edge.id : undefined
    const deleted_at = index === 4 ? new Date() : null
    const status = ['Running', 'Failed', null, 'healthy', 'un_known'][index] ?? null
    const properties =
      index === 2
        ? JSON.stringify([
            { name: 'team', text: 'blue' },
            { name: 'n', text: '7' },
          ])
        : null
    const shared = { name: names[index], labels: label, deleted_at, ...(agent_id ? { agent_id } : {}) }
    const tags = index === 1 ? null : { namespace: index % 2 ? 'shop' : 'web', cluster: 'eu' }
    await make.aConfig({
      ...shared,
      status,
      tags,
      properties,
      scraper_id: index < 3 ? scraper.id : null,
      external_id: index === 0 ? ['x', 'y'] : null,
      config_class: index === 0 ? 'Pod' : 'Node',
      type: index === 2 ? 'AWS::EC2' : 'Kubernetes::Pod',
    })
    await make.aCheck({
      ...shared,
      status,
      namespace: index % 2 ? 'shop' : 'web',
      type: index === 1 ? 'tcp' : 'http',
      owner: index === 0 ? 'ann' : null,
      ...(index < 2 ? { canary_id: canary.id } : {}),
    })
    await make.aComponent({
      ...shared,
      status: status ?? 'healthy',
      namespace: index % 2 ? 'shop' : null,
      properties,
      type: index === 0 ? 'Kubernetes::Pod' : null,
      owner: index === 1 ? 'ann' : null,
      topology_id: index < 2 ? topology.id : null,
    })
  }
  for (const kind of resourceKinds) {
    const { table, scope } = kindColumns[kind]
    const namespace = scope.hasNamespace ? 'parent.namespace' : 'null'
    stored[kind] = await db.query<Resource>(
      `select r.*, a.name as agent_name, case when parent.id is null then null else json_build_object('name', parent.name, 'namespace', ${namespace}) end as parent
       from ${table} r left join agents a on a.id = r.agent_id left join ${scope.table} parent on parent.id = r.${scope.column} order by r.id`,
    )
  }
})

const word = fc.constantFrom(
  'web',
  'db',
  'x',
  'shop',
  'eu',
  'front',
  '12',
  '7',
  'blue',
  'ann',
  'Pod',
  'nil',
  "o'neil; --",
  'x%_\\',
  'y',
  '',
  '\u{1F600}',
)
const key = fc.constantFrom(
  'app',
  'tier',
  'size',
  'cluster',
  'namespace',
  'app.kubernetes.io/name',
  'team',
  'n',
  'owner',
  'type',
  'config_class',
  'external_id',
  'parent_id',
  'topology_id',
  'zzz',
  "k'; drop table checks; --",
)
const quoted = (text: string) =>
  text.includes("'") ? `"${text}"` : /[\s,()=!<>"]/.test(text) || text === '' ? `'${text}'` : text
const condition = fc.oneof(
  fc
    .tuple(key, fc.constantFrom('=', '!='), word)
    .map(([k, operator, value]) => `${quoted(k)}${operator}${quoted(value)}`),
  fc
    .tuple(key, fc.constantFrom('in', 'notin'), fc.array(word, { minLength: 1, maxLength: 3 }))
    .map(([k, operator, values]) => `${quoted(k)} ${operator} (${values.map(quoted).join(',')})`),
  key.map(quoted),
  key.map((k) => `!${quoted(k)}`),
  fc
    .tuple(key, fc.constantFrom('<', '>'), fc.integer({ min: 0, max: 20 }))
    .map(([k, operator, n]) => `${quoted(k)}${operator}${n}`),
)
const conditions = fc.array(condition, { maxLength: 2 }).map((all) => all.join(', '))
const listEntry = fc.constantFrom(
  'Kubernetes::Pod',
  'Kube*',
  '*Pod',
  '!*Pod',
  'AWS%3A%3AEC2',
  'http',
  'tcp',
  '!tcp',
  '*',
  'Running',
  '!Running',
  'F*',
  'un_known',
  '*_k*',
  "'; --",
  '%',
  '_',
  '!',
  '100%',
)
const parts: { [Key in keyof ResourceSelector]?: fc.Arbitrary<ResourceSelector[Key]> } = {
  name: fc.constantFrom('web-1', 'db', 'a%b_c', "x'; --"),
  id: fc.constantFrom('nonsense', '00000000-0000-0000-0000-000000000000'),
  namespace: fc.constantFrom('web', 'shop', 'zzz'),
  agent: fc.constantFrom('', 'all', 'self', 'edge', 'nobody', '00000000-0000-0000-0000-000000000000'),
  scope: fc.constantFrom(
    'kube',
    'web/shop',
    'shop',
    'x/pay',
    'web/pay',
    '00000000-0000-0000-0000-000000000000',
    "a/b/c'",
  ),
  search: fc.constantFrom('w', 'WEB', 'fro', 'a%', '%', '_', "'", '\\'),
  includeDeleted: fc.boolean(),
  types: fc.array(listEntry, { maxLength: 3 }),
  statuses: fc.array(listEntry, { maxLength: 3 }),
  labelSelector: conditions,
  tagSelector: conditions,
  fieldSelector: conditions,
}
/** One to three parts, so that many still find something. */
const selector: fc.Arbitrary<ResourceSelector> = fc
  .subarray(Object.keys(parts) as (keyof ResourceSelector)[], { minLength: 1, maxLength: 3 })
  .chain(
    (keys) => fc.record(Object.fromEntries(keys.map((key) => [key, parts[key]!]))) as fc.Arbitrary<ResourceSelector>,
  )

describe('the database and memory agree', () => {
  test.each(resourceKinds)('%s', async (kind) => {
    let hits = 0
    await fc.assert(
      fc.asyncProperty(fc.array(selector, { minLength: 1, maxLength: 2 }), async (given) => {
        const read = given.map((one) => readSelector(one))
        const expected = stored[kind]
          .filter((row) => read.some((one) => matchesSelector(kind, one, row)))
          .map(({ id }) => id)
        hits += expected.length
        expect(await idsOf(db, kind, read)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
    expect(hits).toBeGreaterThan(20)
  })
})

test('no text of a selector can break or change the query', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom("'", '"; drop table checks; --', '$1', '\\', '%', '\u0000', '{}', "') or true --"),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...resourceKinds),
      fc.record(
        {
          name: text,
          namespace: text,
          agent: text,
          scope: text,
          search: text,
          types: fc.array(text, { maxLength: 2 }),
          labelSelector: text,
          fieldSelector: text,
          tagSelector: text,
        },
        { requiredKeys: [] },
      ),
      async (kind, given) => {
        try {
          await idsOf(db, kind, [readSelector(given)])
        } catch (error) {
          if (!(error instanceof SelectorError)) throw error
        }
      },
    ),
    { numRuns: 300 },
  )
})

describe('kept answers', () => {
  test('as the selector asks', async () => {
    const clock = fakeClock('2024-01-01T00:00:00Z')
    const ctx = testContext(db, { clock })
    const count = async (cache?: string) => (await findIds(ctx, 'components', { name: 'kept', cache })).length
    expect(await count()).toBe(0)
    await make.aComponent({ name: 'kept' })
    expect(await count()).toBe(0)
    expect(await count('no-store')).toBe(1)
    expect(await count()).toBe(0)
    clock.add(61_000)
    expect(await count()).toBe(1)
    await make.aComponent({ name: 'kept', type: 'second' })
    clock.add(61_000)
    expect(await count()).toBe(1)
    expect(await count('max-age=30s')).toBe(2)
    await make.aComponent({ name: 'kept', type: 'third' })
    expect(await count('no-cache')).toBe(3)
    expect(await count()).toBe(3)
  })
})

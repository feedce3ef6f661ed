import { beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../testing/database.ts'
import { rows, type Stored } from '../../../testing/rows.ts'
import { Expressions } from '../expressions.ts'
import { catalogHost, traverseCatalog } from './catalog-traverse.ts'

const db = await testDatabase()
const make = rows(db)
const expressions = new Expressions()
let pod: Stored
let node: Stored
let cluster: Stored

beforeAll(async () => {
  cluster = await make.aConfig({ name: 'eu', type: 'Kubernetes::Cluster' })
  node = await make.aConfig({ name: 'node-1', type: 'Kubernetes::Node', config: { cpu: 4 } })
  pod = await make.aConfig({ name: 'web-1' })
  const gone = await make.aConfig({ name: 'old', type: 'Kubernetes::Node', deleted_at: new Date() })
  const relate = (config_id: string, related_id: string) =>
    db.run('insert into config_relationships (config_id, related_id, relation) values ($1, $2, $3)', [
      config_id,
      related_id,
      'hard',
    ])
  await relate(cluster.id, node.id)
  await relate(node.id, pod.id)
  await relate(gone.id, pod.id)
})

const names = (items: unknown[]) => items.map((item) => (item as { name: string }).name)

test('follows relations along the types', async () => {
  expect(names(await traverseCatalog(db, pod.id, 'Kubernetes::Node'))).toEqual(['node-1'])
  expect(names(await traverseCatalog(db, pod.id, 'Kubernetes::Node/Kubernetes::Cluster', 'incoming'))).toEqual(['eu'])
  expect(names(await traverseCatalog(db, pod.id, 'Kubernetes::Cluster', ''))).toEqual(['eu'])
  expect(names(await traverseCatalog(db, cluster.id, 'Kubernetes::Node/Kubernetes::Pod', 'outgoing'))).toEqual([
    'web-1',
  ])
  expect(await traverseCatalog(db, pod.id, 'Kubernetes::Cluster/Kubernetes::Pod')).toEqual([])
  expect(await traverseCatalog(db, pod.id, '')).toEqual([])
})

test('from CEL and from templates', async () => {
  const host = catalogHost(db)
  const env = { config: { id: pod.id } }
  expect(
    await expressions.cel(`catalog.traverse(config.id, 'Kubernetes::Node')[0].config.cpu + 1`, env, { host }),
  ).toBe(5)
  expect(await expressions.cel(`catalog.traverse(config.id, 'AWS::EC2', 'outgoing').size()`, env, { host })).toBe(0)
  expect(
    await expressions.render('{{ (index (catalog_traverse .config.id "Kubernetes::Node" "incoming") 0).name }}', env, {
      host,
    }),
  ).toBe('node-1')
})

test('what cannot be followed is said', async () => {
  await expect(traverseCatalog(db, 'x', 'A')).rejects.toThrow('an id of a catalog item')
  await expect(traverseCatalog(db, pod.id, 5)).rejects.toThrow('types such as')
  await expect(traverseCatalog(db, pod.id, 'A', 'sideways')).rejects.toThrow('incoming or outgoing')
})

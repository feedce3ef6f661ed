import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../../../data-api/testing.ts'
import { testDatabase } from '../../../testing/database.ts'
import { rows, type Stored } from '../../../testing/rows.ts'

/** What the console's pages of insights, relationships and links read, as they ask it. */

const db = await testDatabase()
const make = rows(db)
let api: TestApi
const relate = (from: Stored, to: Stored, relation = 'hard') =>
  db.run('insert into config_relationships (config_id, related_id, relation) values ($1, $2, $3)', [
    from.id,
    to.id,
    relation,
  ])
const names = (answer: { rows: Record<string, unknown>[] }) => answer.rows.map((row) => row.name).toSorted()

describe('relationships', () => {
  const chain: Stored[] = []
  let loose: Stored
  let gone: Stored
  beforeAll(async () => {
    api = await testApi(db)
    for (let i = 0; i < 14; i++) chain.push(await make.aConfig({ name: `c${String(i).padStart(2, '0')}` }))
    for (let i = 1; i < chain.length; i++) await relate(chain[i - 1]!, chain[i]!)
    // The end leads back to the beginning: a walk must end all the same.
    await relate(chain[13]!, chain[0]!)
    loose = await make.aConfig({
      name: 'loose',
      type: 'Kubernetes::Service',
      health: 'unhealthy',
      labels: { app: 'a' },
    })
    gone = await make.aConfig({ name: 'gone', deleted_at: new Date() })
    await relate(chain[0]!, loose, 'ServicePod')
    await relate(chain[0]!, gone)
  })
  const walk = (more: string, start = chain[0]!) =>
    api.get(`/rpc/related_configs_recursive?config_id=${start.id}&max_depth=10&${more}`)
  const outgoing = 'type_filter=outgoing&outgoing_relation=hard&include_deleted_configs=false'

  test('[REL-11] ten steps and no more, in circles too', async () => {
    const found = await walk(outgoing)
    expect(found.status).toBe(200)
    expect(names(found)).toEqual(chain.slice(0, 11).map((item) => item.name))
    const backwards = await walk('type_filter=incoming&incoming_relation=hard&include_deleted_configs=false')
    expect(names(backwards)).toContain('c13')
    expect(names(backwards)).not.toContain('c02')
  })

  test('[REL-10] hard or both, with and without deleted items, filtered by type and health', async () => {
    const both = await walk('type_filter=outgoing&outgoing_relation=both&include_deleted_configs=true')
    expect(names(both)).toEqual(expect.arrayContaining(['loose', 'gone']))
    expect(names(await walk(outgoing))).not.toContain('loose')
    const narrowed = await walk(
      'type_filter=outgoing&outgoing_relation=both&include_deleted_configs=true&type.filter=Kubernetes::Service&health.filter=unhealthy',
    )
    expect(names(narrowed)).toEqual(['loose'])
  })

  test('the kinds of the edges, and what the walk does not tell', async () => {
    const edges = await api.get(
      `/rpc/config_relationships_recursive?config_id=${chain[0]!.id}&type_filter=outgoing&outgoing_relation=both&max_depth=1&select=id,related_id,relation_type&limit=2000&offset=0`,
    )
    expect(edges.rows).toContainEqual({ id: chain[0]!.id, related_id: loose.id, relation_type: 'ServicePod' })
    const details = await api.get(`/configs?id=in.(${loose.id},${gone.id})&select=id,labels,deleted_at`)
    expect(details.rows.find((row) => row.id === loose.id)).toMatchObject({ labels: { app: 'a' }, deleted_at: null })
    expect(details.rows.find((row) => row.id === gone.id)?.deleted_at).toBeTruthy()
  })

  test('a start that is no item, or no uuid', async () => {
    const nowhere = await api.get(
      '/rpc/related_configs_recursive?config_id=00000000-0000-4000-8000-00000000dead&max_depth=10&type_filter=all',
    )
    expect(nowhere.rows).toEqual([])
    expect((await api.get('/rpc/related_configs_recursive?config_id=nonsense&max_depth=10')).status).toBe(400)
  })
})

describe('insights', () => {
  let item: Stored
  let component: Stored
  beforeAll(async () => {
    item = await make.aConfig({ name: 'scanned', type: 'Insight::Item' })
    component = await make.aComponent({})
    for (let i = 0; i < 60; i++)
      await make.insert('config_analysis', {
        config_id: item.id,
        analyzer: `rule-${i}`,
        analysis_type: i % 2 ? 'cost' : 'security',
        severity: i % 3 ? 'low' : 'critical',
        status: 'open',
        message: '<p>found</p>',
        first_observed: new Date(Date.UTC(2026, 0, 1, 0, i)),
      })
    await make.insert('config_component_relationships', {
      component_id: component.id,
      config_id: item.id,
      selector_id: 'manual',
    })
  })
  const columns =
    'id,config_id,analysis_type,analyzer,severity,status,message,first_observed,last_observed,config:configs(id,name,config_class,type)'

  test('[INS-12] a page with its total, the newest first, narrowed by everything the page offers', async () => {
    const list = `/config_analysis_items?select=${columns}&limit=50&offset=0&config_type=eq.Insight::Item&order=first_observed.desc`
    const page = await api.get(list, { prefer: 'count=exact' })
    expect(page.headers['content-range']).toBe('0-49/60')
    expect(page.rows[0]).toMatchObject({ analyzer: 'rule-59', config: { id: item.id, name: 'scanned' } })
    const narrowed = await api.get(
      `${list}&config_id=eq.${item.id}&analysis_type=eq.security&severity=eq.critical&status=eq.open`,
      { prefer: 'count=exact' },
    )
    expect(narrowed.headers['content-range']).toBe('0-9/10')
  })

  test('[INS-07] those of a component, page by page', async () => {
    const all = `/rpc/lookup_analysis_by_component?id=${component.id}&order=first_observed.desc,id.asc`
    const found = await api.get(`${all}&limit=2000&offset=0`)
    expect(found.rows).toHaveLength(60)
    expect(found.rows[0]).toMatchObject({ analyzer: 'rule-59', message: '<p>found</p>' })
    expect((await api.get(`${all}&limit=2000&offset=60`)).rows).toEqual([])
  })

  test('[REL-12] the components of an item', async () => {
    const links = await api.get(
      `/config_component_relationships?config_id=eq.${item.id}&deleted_at=is.null&select=*,components(id,name,icon,type)`,
    )
    expect(links.rows).toMatchObject([{ selector_id: 'manual', components: { id: component.id } }])
  })
})

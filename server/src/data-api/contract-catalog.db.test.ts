import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { id, local, seedContract } from './contract-data.ts'
import { type TestApi, testApi } from './testing.ts'

/** api-contract.md 6.4 to 6.6: checks, topology and catalog, every request exactly as sent. */

let api: TestApi
beforeAll(async () => {
  const db = await testDatabase()
  await seedContract(db)
  api = await testApi(db)
})
const count = { prefer: 'count=exact' }
const config = { id: id.config, name: 'web', type: 'Kubernetes::Deployment', config_class: 'Deployment' }

describe('checks and canaries', () => {
  test('[API-03] [API-04] D401 pages through the history of a check and counts it', async () => {
    const since = new Date(Date.now() - 7_200_000).toISOString()
    const history = `/check_statuses?check_id=eq.${id.check}&time=gt.${since}&order=time.desc`
    const page = await api.get(`${history}&limit=50&offset=0`, count)
    expect(page.status).toBe(206)
    expect(page.headers['content-range']).toBe('0-49/60')
    expect(page.rows[0]).toMatchObject({ duration: 10, message: 'ok', status: true })
    const last = await api.get(`${history}&limit=50&offset=50`, count)
    expect([last.status, last.headers['content-range']]).toEqual([206, '50-59/60'])
    const failed = await api.get(`${history}&status=eq.0&duration=gte.300&limit=50&offset=0`, count)
    expect(failed.headers['content-range']).toBe('0-6/7')
    expect(failed.rows.every((row) => row.status === false && Number(row.duration) >= 300)).toBe(true)
    const passed = await api.get(`${history}&status=eq.1&limit=50&offset=0`, count)
    expect(passed.headers['content-range']).toBe('0-47/48')
  })
  test('D402 reads what a link to a check shows', async () => {
    const answer = await api.get(`/checks?id=eq.${id.check}&select=id,name,icon,status,type`)
    expect(answer.rows).toEqual([{ id: id.check, name: 'home page', icon: 'web', status: 'healthy', type: 'http' }])
  })
  test('D403 reads a check with canary, agent, components and configs', async () => {
    const answer = await api.get(
      `/checks?id=eq.${id.check}&select=*,canaries!checks_canary_id_fkey(id,name,source),agents!checks_agent_id_fkey(id, name),components:check_component_relationships(components(id,name,icon)),configs:check_config_relationships(configs(id,name,type))`,
    )
    expect(answer.rows).toMatchObject([
      {
        name: 'home page',
        canaries: { id: id.canary, name: 'shop', source: 'kubernetes/1' },
        agents: { id: local, name: 'local' },
        components: [{ components: { id: id.component, name: 'shop', icon: 'web' } }],
        configs: [{ configs: { id: id.config, name: 'web', type: 'Kubernetes::Deployment' } }],
      },
    ])
  })
  test('D404 reads a canary', async () => {
    const answer = await api.get(`/canaries?id=eq.${id.canary}&select=id,source,spec,name,namespace`)
    expect(answer.rows).toEqual([
      {
        id: id.canary,
        source: 'kubernetes/1',
        spec: { schedule: '@every 1m', http: [] },
        name: 'shop',
        namespace: 'default',
      },
    ])
  })
  test('D405 lists the checks of a component', async () => {
    const answer = await api.get(`/checks_by_component?component_id=eq.${id.component}`)
    expect(answer.rows).toMatchObject([{ id: id.check, name: 'home page', type: 'http', status: 'healthy' }])
  })
  test('D406 lists the checks of a config with uptime and latency', async () => {
    const answer = await api.get(`/check_summary_for_config?config_id=eq.${id.config}`)
    expect(answer.rows).toMatchObject([
      { config_id: id.config, id: id.check, uptime: {}, latency: {}, canary_name: 'shop' },
    ])
  })
})

describe('components and topologies', () => {
  test('D501 lists names, of some types if asked', async () => {
    const all = await api.get('/component_names?order=name.asc')
    expect(all.rows.map((row) => row.name)).toEqual(['api', 'shop'])
    const some = await api.get('/component_names?order=name.asc&type=in.(Application,Other)')
    expect(some.rows).toMatchObject([{ id: id.component, external_id: 'shop', icon: 'web' }])
  })
  test('D502 reads one name with its path', async () => {
    const [row] = (await api.get(`/component_names?id=eq.${id.component}`)).rows
    expect(row).toMatchObject({ id: id.component, name: 'shop', icon: 'web' })
    expect(row).toHaveProperty('path')
  })
  test('D503 lists components with logs', async () => {
    const answer = await api.get('/components_with_logs?order=name.asc')
    expect(answer.rows).toMatchObject([{ id: id.component, name: 'shop', agent_id: local }])
  })
  test('D504 reads a component', async () => {
    const answer = await api.get(`/components?id=eq.${id.component}`)
    expect(answer.rows).toMatchObject([{ name: 'shop', status: 'healthy', icon: 'web' }])
  })
  test('D505 lists labels', async () => {
    expect((await api.get('/component_labels')).rows).toEqual([{ key: 'app', value: 'shop' }])
  })
  test('D506 lists the teams of a component with their creators', async () => {
    const answer = await api.get(
      `/team_components?component_id=eq.${id.component}&select=*,team:teams(*, created_by(id,name,avatar))`,
    )
    expect(answer.rows).toMatchObject([
      { role: 'owner', team: { name: 'Payments', created_by: { name: 'Ada Example' } } },
    ])
  })
})

describe('catalog', () => {
  test('D601 to D604, D623, D624 list the values of filters', async () => {
    expect((await api.get('/config_tags')).rows).toContainEqual({ key: 'namespace', value: 'shop' })
    expect((await api.get('/config_labels')).rows).toContainEqual({ key: 'app', value: 'web' })
    expect((await api.get('/config_types')).rows).toContainEqual({ type: 'Kubernetes::Pod' })
    expect((await api.get('/config_statuses')).rows).toContainEqual({ status: 'Running' })
    expect((await api.get('/change_types')).rows).toEqual([{ change_type: 'diff' }])
    expect((await api.get('/config_analysis_analyzers?order=analyzer.asc')).rows).toEqual([{ analyzer: 'image-scan' }])
  })

  const list =
    '/configs?&select=id,type,config_class,status,health,labels,name,tags,created_at,updated_at,deleted_at,cost_per_minute,cost_total_1d,cost_total_7d,cost_total_30d,changes,analysis,agent:agents(id,name)'
  const names = async (url: string) => (await api.get(url)).rows.map((row) => row.name)
  test('D605 lists configs with agent, changes and open findings', async () => {
    const answer = await api.get(`${list}&order=type,name.asc&deleted_at=is.null`)
    expect(answer.status).toBe(200)
    expect(answer.rows).toMatchObject([
      {
        ...config,
        agent: { id: local, name: 'local' },
        analysis: [{ analyzer: 'image-scan', analysis_type: 'security', severity: 'high' }],
        changes: [{ change_type: 'diff', severity: 'info', total: 1 }],
      },
      { name: 'web-1', analysis: null, changes: null },
    ])
  })
  test('D605 filters by type, by tri-state status and health, by labels and by search', async () => {
    expect(
      await names(
        `${list}&type=eq.Kubernetes::Pod&health.filter=unhealthy,warning&order=type,name.asc&deleted_at=is.null`,
      ),
    ).toEqual(['web-1'])
    expect(await names(`${list}&status.filter=!Failed&order=type,name.asc&deleted_at=is.null`)).toEqual(['web'])
    expect(await names(`${list}&status.filter=Fail*&order=name.asc`)).toEqual(['web-1'])
    expect(
      await names(`${list}&labels->>app=eq.web&labels->>app.kubernetes.io/name=eq.web&order=type,name.asc`),
    ).toEqual(['web'])
    expect(await names(`${list}&labels-%3E%3Eapp.kubernetes.io%2Fname=eq.web&order=type,name.asc`)).toEqual(['web'])
    const search = 'or=(name.ilike.*EB-1*,type.ilike.*EB-1*,description.ilike.*EB-1*,namespace.ilike.*EB-1*)'
    expect(await names(`${list}&${search}&order=type,name.asc&deleted_at=is.null`)).toEqual(['web-1'])
  })
  test.each(['name', 'type', 'health', 'tags', 'analysis', 'cost_total_1d', 'created_at', 'updated_at', 'deleted_at'])(
    'D605 sorts by %s',
    async (column) => {
      for (const direction of ['asc', 'desc'])
        expect((await api.get(`${list}&order=${column}.${direction}`)).rows).toHaveLength(3)
    },
  )
  test('D606 to D608 read what links to configs show; an empty list of ids gives none', async () => {
    expect((await api.get('/configs?select=id,name,config_class,type')).rows).toHaveLength(3)
    expect(
      (await api.get(`/configs?id=in.(${id.config},${id.pod})&select=id,name,config_class,type`)).rows,
    ).toHaveLength(2)
    expect((await api.get('/configs?id=in.()&select=id,name,config_class,type')).rows).toEqual([])
    expect((await api.get(`/configs?id=eq.${id.config}&select=id,name,config_class,type`)).rows).toEqual([config])
  })
  test('D609 finds configs of a type whatever its case', async () => {
    const answer = await api.get(
      '/configs?select=id,external_id,name,type,analysis,changes&type=ilike.kubernetes::deployment&or=(name.ilike.*w*,external_id.ilike.*PROJ*)',
    )
    expect(answer.rows).toMatchObject([{ id: id.config, external_id: ['k8s/web', 'PROJ'] }])
  })
  test('D610 reads a config with its scraper and summary', async () => {
    const answer = await api.get(`/config_detail?id=eq.${id.config}&select=*,config_scrapers(id,name)`)
    expect(answer.rows).toMatchObject([
      {
        ...config,
        config: { kind: 'Deployment' },
        config_scrapers: { id: id.scraper, name: 'kubernetes' },
        summary: { relationships: 1, analysis: 1, changes: 1, playbook_runs: 1, checks: 1 },
      },
    ])
  })
  test('D611 reads a name', async () => {
    expect((await api.get(`/config_names?id=eq.${id.config}`)).rows).toMatchObject([{ id: id.config, name: 'web' }])
  })
  test('D612 reads a change with its config', async () => {
    const answer = await api.get(
      `/config_changes?config_id=eq.${id.config}&id=eq.${id.change}&select=id,config_id,change_type,created_at,external_created_by,source,diff,details,patches,created_by,config:configs(id,name,type,config_class)`,
    )
    expect(answer.rows).toMatchObject([{ id: id.change, diff: '-1 +2', details: { a: 1 }, created_by: null, config }])
  })
  test('D613 renames the config created_at, as asked', async () => {
    const answer = await api.get(
      `/changes_by_component?component_id=eq.${id.component}&select=id,type,config_id,name,change_type,config_class,created_at:configs(id, name, type, config_class)`,
    )
    expect(answer.rows).toEqual([
      {
        id: id.change,
        type: config.type,
        config_id: id.config,
        name: 'web',
        change_type: 'diff',
        config_class: 'Deployment',
        created_at: config,
      },
    ])
  })
  test('D614 lists the configs of a component in the order of the embedded name', async () => {
    const url = `/config_component_relationships?component_id=eq.${id.component}&configs.order=name&select=*,configs!config_component_relationships_config_id_fkey(id, type, name, config_class, deleted_at)`
    for (const end of ['', '&deleted_at=is.null']) {
      expect((await api.get(url + end)).rows).toMatchObject([
        { selector_id: 'auto', configs: { ...config, deleted_at: null } },
      ])
    }
  })
  test('D615 links a config to a component once, D616 removes the link', async () => {
    const link = { component_id: id.child, config_id: id.config, selector_id: 'manual' }
    expect((await api.post('/config_component_relationships', link)).rows).toMatchObject([link])
    expect((await api.post('/config_component_relationships', link)).status).toBe(409)
    const gone = await api.delete(
      `/config_component_relationships?component_id=eq.${id.child}&config_id=eq.${id.config}&selector_id=eq.manual`,
    )
    expect(gone.rows).toMatchObject([link])
  })
  test('D617 and D620 read a finding with its config', async () => {
    const one = await api.get(
      `/config_analysis?select=id,source,analyzer,analysis_type,message,severity,status,analysis,first_observed,config:configs(id,name,config_class,type)&id=eq.${id.analysis}`,
      count,
    )
    expect(one.rows).toMatchObject([{ source: 'trivy', config }])
    const evidence = await api.get(
      `/config_analysis?select=id,message,analyzer,config:configs(id,name,config_class,type)&config_id=eq.${id.config}&id=eq.${id.analysis}`,
    )
    expect(evidence.rows).toEqual([{ id: id.analysis, message: '<b>old image</b>', analyzer: 'image-scan', config }])
  })
  test('D618 pages through findings by their filters', async () => {
    const answer = await api.get(
      `/config_analysis_items?select=id,analysis_type,analyzer,severity,status,first_observed,last_observed,config:configs(id,name,config_class,type)&limit=50&offset=0&status=eq.open&analysis_type=eq.security&severity=eq.high&analyzer=eq.image-scan&config_id=eq.${id.config}&config_type=eq.Kubernetes::Deployment&order=first_observed.desc`,
      count,
    )
    expect(answer.headers['content-range']).toBe('0-0/1')
    expect(answer.rows).toMatchObject([{ id: id.analysis, config }])
  })
  test('D619 reads findings of a component through the config they concern', async () => {
    const answer = await api.get(
      `/analysis_by_component?component_id=eq.${id.component}&limit=50&offset=0&select=analysis_id,config:configs(id,name,config_class,type,analysis:config_analysis(id,analyzer,analysis_type,message,severity,analysis,first_observed))`,
      count,
    )
    expect(answer.headers['content-range']).toBe('0-0/1')
    expect(answer.rows).toMatchObject([
      { analysis_id: id.analysis, config: { ...config, analysis: [{ id: id.analysis, analyzer: 'image-scan' }] } },
    ])
  })
  test('D621 calls a function by name', async () => {
    const answer = await api.get(`/rpc/lookup_analysis_by_component?id=${id.component}`)
    expect(answer.rows).toMatchObject([{ id: id.analysis, status: 'open', config_id: id.config }])
  })
  test('D622 walks relationships and filters the rows that come back', async () => {
    const url = `/rpc/related_configs_recursive?config_id=${id.config}&include_deleted_configs=false&max_depth=10`
    const all = await api.get(`${url}&type_filter=all&incoming_relation=hard&outgoing_relation=hard`)
    expect(all.rows.map((row) => row.name).sort()).toEqual(['web', 'web-1'])
    expect(all.rows.find((row) => row.name === 'web')).toMatchObject({ related_ids: [id.pod], health: 'healthy' })
    const pods = await api.get(
      `${url}&type.filter=Kubernetes%3A%3APod%2CKubernetes%3A%3ANode&type_filter=all&incoming_relation=hard&outgoing_relation=hard`,
    )
    expect(pods.rows.map((row) => row.name)).toEqual(['web-1'])
    const healthy = await api.get(
      `${url}&status.filter=!Failed&health.filter=healthy&type_filter=outgoing&outgoing_relation=both`,
    )
    expect(healthy.rows.map((row) => row.name)).toEqual(['web'])
  })
})

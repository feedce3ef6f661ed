import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../testing/database.ts'
import { id, seedContract } from './contract-data.ts'
import { type TestApi, testApi } from './testing.ts'

/** api-contract.md 6.7 and 6.8: incidents and playbooks, every request exactly as sent. */

let api: TestApi
beforeAll(async () => {
  const db = await testDatabase()
  await seedContract(db)
  api = await testApi(db)
})
const ada = { id: id.ada, name: 'Ada Example', avatar: 'ada.png' }
const bob = { id: id.bob, name: 'Bob Example', avatar: null }
const team = { id: id.team, name: 'Payments', icon: 'team' }
const made = (tail: string) => `018f0000-0000-7000-9000-${tail.padStart(12, '0')}`

describe('incidents', () => {
  test('D701 lists incidents; filters by owner and component choose among them', async () => {
    const open = await api.get('/incident_summary?&order=created_at.desc&status=eq.open')
    expect(open.rows).toMatchObject([{ title: 'Checkout slow', incident_id: expect.stringMatching(/^INC-/) }])
    expect(
      (
        await api.get(
          '/incident_summary?&title=ilike.*checkout*&order=created_at.desc&severity=eq.high&status=eq.open&type=eq.performance',
        )
      ).rows,
    ).toHaveLength(1)
    expect(
      (await api.get(`/incident_summary?&order=created_at.desc&status=eq.open&created_by=eq.${id.ada}`)).rows,
    ).toHaveLength(1)
    expect(
      (await api.get(`/incident_summary?&order=created_at.desc&hypotheses.evidences.component_id=eq.${id.component}`))
        .rows,
    ).toHaveLength(1)
    expect(
      (await api.get(`/incident_summary?&order=created_at.desc&hypotheses.evidences.component_id=eq.${id.child}`)).rows,
    ).toEqual([])
  })
  test('D702 finds incidents by title with their hypotheses', async () => {
    const answer = await api.get('/incidents?order=created_at.desc&title=ilike.*slow*&select=*,hypotheses(id, type)')
    expect(answer.rows).toMatchObject([{ id: id.incident, hypotheses: [{ id: id.hypothesis, type: 'root' }] }])
  })
  test('D703 reads a whole incident, three levels deep', async () => {
    const answer = await api.get(
      `/incidents?id=eq.${id.incident}&select=*,hypotheses(*,created_by(id,name,avatar),evidences(*,created_by(id,name,avatar)),comments(created_at,comment,external_created_by,responder_id(team_id(*)),created_by(id,id,name,avatar),id)),commander:commander_id(id,name,avatar),communicator_id(id,name,avatar),responders(created_by(id,name,avatar))`,
    )
    expect(answer.status).toBe(200)
    expect(answer.rows).toMatchObject([
      {
        id: id.incident,
        created_by: id.ada,
        commander_id: id.ada,
        commander: ada,
        communicator_id: bob,
        responders: [{ created_by: ada }],
        hypotheses: [
          {
            created_by: ada,
            parent_id: null,
            evidences: [{ id: id.evidence, component_id: id.component, created_by: ada }],
            comments: [{ id: id.comment, comment: 'looking', created_by: ada, responder_id: { team_id: team } }],
          },
        ],
      },
    ])
  })
  test('D704 creates incidents with and without an id of the client, D705 changes one', async () => {
    const body = {
      title: 'New',
      description: '',
      severity: 'low',
      type: 'cost',
      status: 'open',
      created_by: id.ada,
      commander_id: id.ada,
      communicator_id: id.ada,
    }
    const given = await api.post('/incidents?select=*', {
      ...body,
      id: made('1'),
      created_at: 'now()',
      updated_at: 'now()',
    })
    expect(given.status).toBe(201)
    expect(given.rows).toMatchObject([
      { id: made('1'), incident_id: expect.stringMatching(/^INC-\d+$/), created_at: expect.stringMatching(/^\d{4}-/) },
    ])
    const own = await api.post('/incidents?select=*', body)
    expect(own.rows[0]!.id).toMatch(/^[0-9a-f-]{36}$/)
    const changed = await api.patch(`/incidents?id=eq.${made('1')}`, { severity: 'high', type: 'security' })
    expect(changed.rows).toMatchObject([{ severity: 'high', type: 'security', title: 'New' }])
  })
  test('D706 lists the incidents of a component', async () => {
    const answer = await api.get(
      `/incidents_by_component?order=created_at.desc&type=eq.performance&status=eq.open&component_id=eq.${id.component}`,
    )
    expect(answer.rows).toMatchObject([{ id: id.incident, title: 'Checkout slow' }])
  })
  test('D707 finds hypotheses, D708 adds two ways, D709 changes', async () => {
    expect(
      (await api.get(`/hypotheses?order=created_at.desc&title=ilike.*slow*&incident_id=eq.${id.incident}`)).rows,
    ).toHaveLength(1)
    const child = {
      id: made('2'),
      created_by: id.ada,
      incident_id: id.incident,
      parent_id: id.hypothesis,
      title: 'Disk',
      type: 'factor',
      status: 'possible',
    }
    expect((await api.post('/hypotheses', child)).rows).toMatchObject([child])
    const root = { incident_id: id.incident, title: 'Net', type: 'root', status: 'possible', created_by: id.ada }
    expect((await api.post('/hypotheses', root)).rows).toMatchObject([root])
    expect((await api.patch(`/hypotheses?id=eq.${made('2')}`, { status: 'likely' })).rows).toMatchObject([
      { status: 'likely' },
    ])
    expect((await api.patch(`/hypotheses?id=eq.${made('2')}`, { title: 'Disk full' })).rows).toMatchObject([
      { title: 'Disk full' },
    ])
  })
  test('D713 comments, D714 and D715 add and change evidence, D710 to D712 and D716 delete', async () => {
    const [hypothesis] = (
      await api.post('/hypotheses', {
        incident_id: id.incident,
        title: 'Gone soon',
        type: 'factor',
        status: 'possible',
        created_by: id.ada,
      })
    ).rows
    const hypothesis_id = hypothesis!.id
    const comment = await api.post('/comments', {
      created_by: id.ada,
      incident_id: id.incident,
      hypothesis_id,
      comment: 'note',
    })
    expect(comment.status).toBe(201)
    const evidence = await api.post('/evidences', {
      created_by: id.ada,
      hypothesis_id,
      type: 'log',
      description: '',
      evidence: { lines: ['a', 'b'] },
    })
    expect(evidence.rows).toMatchObject([{ evidence: { lines: ['a', 'b'] } }])
    const nameless = await api.post('/evidences', { created_by: id.ada, hypothesis_id, type: 'log', description: null })
    expect([nameless.status, nameless.object.code, nameless.object.details]).toEqual([400, '23502', null])
    const done = await api.patch(`/evidences?id=eq.${evidence.rows[0]!.id}`, {
      definition_of_done: true,
      script: 'true',
      done: false,
    })
    expect(done.rows).toMatchObject([{ definition_of_done: true, done: false }])
    expect((await api.delete(`/evidences?id=eq.${evidence.rows[0]!.id}`)).rows).toHaveLength(1)
    expect((await api.delete(`/comments?hypothesis_id=eq.${hypothesis_id}`)).rows).toHaveLength(1)
    expect((await api.delete(`/evidences?hypothesis_id=eq.${hypothesis_id}`)).rows).toEqual([])
    expect((await api.delete(`/hypotheses?id=eq.${hypothesis_id}`)).rows).toHaveLength(1)
  })
  test('D717 lists responders with team and person, D718 adds one, D719 removes it', async () => {
    const list = `/responders?incident_id=eq.${id.incident}&select=*,team:team_id(id,name,icon,spec),person:person_id(id,name,avatar)&deleted_at=is.null`
    expect((await api.get(list)).rows).toMatchObject([{ id: id.responder, team, person: null }])
    const added = await api.post('/responders?select=*', {
      type: 'system',
      incident_id: id.incident,
      created_by: id.ada,
      person_id: id.bob,
      properties: { to: 'x' },
    })
    expect(added.rows).toMatchObject([{ person_id: id.bob, properties: { to: 'x' } }])
    expect((await api.get(list)).rows.map((row) => row.person)).toContainEqual(bob)
    await api.patch(`/responders?id=eq.${added.rows[0]!.id}`, { deleted_at: 'now()' })
    expect((await api.get(list)).rows).toHaveLength(1)
  })
  test('D720 reads the history although its select has a parenthesis too many', async () => {
    const answer = await api.get(
      `/incident_histories?incident_id=eq.${id.incident}&select=*,evidence:evidences(id,description,type,components(id,name,icon),configs(id,name),config_changes(id,change_type),config_analysis(id,analyzer,message,analysis),checks(id,icon,name)),hypothesis:hypotheses(id,title),responder:responders(id,person:person_id(id,name,avatar),team:team_id(id,name,icon)),comment:comments(id,comment),created_by(id,name,avatar))&order=created_at.desc`,
    )
    expect(answer.status).toBe(200)
    const evidence = answer.rows.find(
      (row) => row.type === 'evidence.created' && (row.evidence as { id: string } | null)?.id === id.evidence,
    )
    expect(evidence).toMatchObject({
      created_by: ada,
      responder: null,
      comment: null,
      evidence: {
        components: { id: id.component, name: 'shop', icon: 'web' },
        configs: { id: id.config, name: 'web' },
        config_changes: { id: id.change, change_type: 'diff' },
        config_analysis: { id: id.analysis, analyzer: 'image-scan' },
        checks: { id: id.check, name: 'home page' },
      },
    })
    const responders = answer.rows.filter((row) => row.type === 'responder.created').map((row) => row.responder)
    expect(responders).toContainEqual({ id: id.responder, team, person: null })
  })
})

describe('playbooks', () => {
  const playbook = { id: id.playbook, name: 'scale', title: 'Scale deployment' }
  test('D801 lists names', async () => {
    const answer = await api.get('/playbook_names?select=id,name,title,icon,category&order=title.asc')
    expect(answer.rows).toMatchObject([{ ...playbook, icon: 'scale' }])
  })
  test('D802 reads one, D803 several', async () => {
    expect((await api.get(`/playbooks?id=eq.${id.playbook}&select=*,created_by(id,name,avatar)`)).rows).toMatchObject([
      { ...playbook, created_by: ada },
    ])
    expect((await api.get(`/playbooks?id=in.(${id.playbook})&select=id,title,spec`)).rows).toHaveLength(1)
    expect((await api.get('/playbooks?id=in.()&select=id,title,spec')).rows).toEqual([])
  })
  test('D804 creates once, D805 changes, D806 deletes', async () => {
    const body = {
      title: 'Drain',
      name: 'Drain',
      source: 'UI',
      category: 'ops',
      spec: { actions: [] },
      created_by: id.ada,
    }
    const created = await api.post('/playbooks', body)
    expect(created.status).toBe(201)
    expect((await api.post('/playbooks', body)).status).toBe(409)
    const playbookId = created.rows[0]!.id
    const changed = await api.patch(`/playbooks?id=eq.${playbookId}`, {
      id: playbookId,
      source: 'UI',
      title: 'Drain',
      spec: { actions: [1] },
      category: 'ops',
      description: 'd',
      icon: 'i',
    })
    expect(changed.rows).toMatchObject([{ spec: { actions: [1] }, description: 'd', icon: 'i' }])
    expect(
      (await api.patch(`/playbooks?id=eq.${playbookId}`, { deleted_at: 'now()' })).rows[0]!.deleted_at,
    ).not.toBeNull()
  })
  const embedded = {
    playbooks: playbook,
    component: { id: id.component, name: 'shop' },
    check: { id: id.check, name: 'home page' },
    config: { id: id.config, name: 'web' },
  }
  test('D810 pages through runs', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString()
    const to = new Date(Date.now() + 3_600_000).toISOString()
    const answer = await api.get(
      `/playbook_runs?select=*,playbooks(id,name,title,spec,icon),component:components(id,name,icon),check:checks(id,name,icon),config:config_items(id,name,type,config_class)&&order=created_at.desc&playbook_id=eq.${id.playbook}&component_id=eq.${id.component}&&config_id=eq.${id.config}&limit=150&offset=0&status=eq.running&and=(start_time.gte.${from},start_time.lte.${to})`,
      { prefer: 'count=exact' },
    )
    expect(answer.headers['content-range']).toBe('0-0/1')
    expect(answer.rows).toMatchObject([{ id: id.run, created_by: id.ada, ...embedded }])
  })
  test('D811 to D813 read a run and its actions', async () => {
    const run = await api.get(
      `/playbook_runs?id=eq.${id.run}&select=*,created_by(id,name,avatar),playbooks(id,name,title,spec),component:components(id,name,icon),config:config_items(id,name,type,config_class),check:checks(id,name,icon)`,
    )
    expect(run.rows).toMatchObject([{ created_by: ada, parameters: { replicas: '3' }, ...embedded }])
    const actions = await api.get(
      `/playbook_run_actions?select=id,name,status,start_time,end_time,scheduled_time&order=start_time.asc&playbook_run_id=eq.${id.run}`,
    )
    expect(actions.rows).toMatchObject([{ id: id.action, name: 'step', status: 'completed', end_time: null }])
    const action = await api.get(`/playbook_run_actions?id=eq.${id.action}&select=*`)
    expect(action.rows).toMatchObject([{ result: { stdout: 'done' }, playbook_run_id: id.run }])
  })
})

import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { rows, systemPerson } from '../../testing/rows.ts'

const db = await testDatabase()
const make = rows(db)
const update = (table: string, id: string, set: string) => db.run(`update ${table} set ${set} where id = $1`, [id])
const history = (incident: string) =>
  db.query(
    `select type, description, created_by, hypothesis_id, responder_id, evidence_id, comment_id
     from incident_histories where incident_id = $1 order by created_at, id`,
    [incident],
  )
const nothing = {
  description: null,
  created_by: systemPerson,
  hypothesis_id: null,
  responder_id: null,
  evidence_id: null,
  comment_id: null,
}

test('incidents are numbered INC-1, INC-2, ...', async () => {
  const [one, two] = [await make.anIncident(), await make.anIncident()]
  expect(one.incident_id).toMatch(/^INC-\d+$/)
  expect(Number(String(two.incident_id).slice(4))).toBe(Number(String(one.incident_id).slice(4)) + 1)
})

describe('history', () => {
  test('tells what happened to an incident, its responders, hypotheses, evidence and comments', async () => {
    const incident = await make.anIncident()
    await update('incidents', incident.id, `title = 'no entry for a title'`)
    await update('incidents', incident.id, `status = 'investigating'`)
    const responder = await make.insert('responders', {
      incident_id: incident.id,
      type: 'person',
      created_by: systemPerson,
    })
    const hypothesis = await make.aHypothesis({ incident_id: incident.id })
    await update('hypotheses', hypothesis.id, `status = 'likely'`)
    const evidence = await make.anEvidence({ hypothesis_id: hypothesis.id })
    await update('evidences', evidence.id, 'definition_of_done = true')
    await make.insert('comments', { incident_id: incident.id, comment: 'plain', created_by: systemPerson })
    const comment = await make.insert('comments', {
      incident_id: incident.id,
      comment: 'from chat',
      created_by: systemPerson,
      responder_id: responder.id,
    })
    expect(await history(incident.id)).toEqual([
      { ...nothing, type: 'incident.created', description: incident.id },
      { ...nothing, type: 'incident.status_updated', description: 'investigating' },
      { ...nothing, type: 'responder.created', responder_id: responder.id },
      // Appendix A17: written, unlike in the reference.
      { ...nothing, type: 'hypothesis.created', description: 'possible', hypothesis_id: hypothesis.id },
      { ...nothing, type: 'hypothesis.status_updated', description: 'likely', hypothesis_id: hypothesis.id },
      { ...nothing, type: 'evidence.created', hypothesis_id: hypothesis.id, evidence_id: evidence.id },
      { ...nothing, type: 'evidence.done_definition_added', evidence_id: evidence.id },
      { ...nothing, type: 'responder.commented', comment_id: comment.id },
    ])
  })

  test('A25: the acting person is the author; without one the creator of the row', async () => {
    const actor = await make.aPerson()
    const incident = await make.anIncident()
    await db.tx(async (sql) => {
      await sql.query(`select set_config('quarterdeck.person_id', $1, true)`, [actor.id])
      await sql.query(`update incidents set status = 'closed' where id = $1`, [incident.id])
    })
    await update('incidents', incident.id, `status = 'open'`)
    expect((await history(incident.id)).map((row) => [row['description'], row['created_by']])).toEqual([
      [incident.id, systemPerson],
      ['closed', actor.id],
      ['open', systemPerson],
    ])
  })

  test('evidence for a hypothesis that does not exist is refused', async () => {
    await expect(make.anEvidence({ hypothesis_id: '00000000-0000-4000-8000-00000000dead' })).rejects.toMatchObject({
      code: '23503',
    })
  })

  test('A4: deleting evidence, comments and hypotheses keeps the history and takes children along', async () => {
    const incident = await make.anIncident()
    const root = await make.aHypothesis({ incident_id: incident.id })
    const child = await make.aHypothesis({ incident_id: incident.id, parent_id: root.id, type: 'factor' })
    const evidence = await make.anEvidence({ hypothesis_id: root.id })
    await make.anEvidence({ hypothesis_id: child.id })
    await make.insert('comments', {
      incident_id: incident.id,
      hypothesis_id: child.id,
      comment: 'x',
      created_by: systemPerson,
    })
    const before = await history(incident.id)
    await db.run('delete from evidences where id = $1', [evidence.id])
    await db.run('delete from hypotheses where id = $1', [root.id])
    expect(
      await db.one(
        `select (select count(*) from hypotheses where incident_id = $1)::int as hypotheses,
      (select count(*) from comments where incident_id = $1)::int as comments,
      (select count(*) from evidences where hypothesis_id in ($2, $3))::int as evidences`,
        [incident.id, root.id, child.id],
      ),
    ).toEqual({
      hypotheses: 0,
      comments: 0,
      evidences: 0,
    })
    const after = await history(incident.id)
    expect(after.map(({ type }) => type)).toEqual(before.map(({ type }) => type))
    expect(after.every((row) => row['evidence_id'] === null && row['hypothesis_id'] === null)).toBe(true)
  })
})

describe('status', () => {
  const all = ['new', 'open', 'investigating', 'mitigated', 'resolved', 'closed']
  const allowed: Record<string, string[]> = {
    new: all,
    open: ['open', 'investigating', 'mitigated', 'resolved', 'closed'],
    investigating: ['investigating', 'mitigated', 'resolved', 'closed'],
    mitigated: ['mitigated', 'resolved', 'closed', 'open'],
    resolved: ['resolved', 'closed', 'open'],
    closed: ['closed', 'open'],
  }

  const moves = all.flatMap((from) => all.map((to) => ({ from, to, may: allowed[from]!.includes(to) })))

  test.each(moves.filter(({ may }) => may))('C31: from $from to $to', async ({ from, to }) => {
    const incident = await make.anIncident({ status: from })
    await update('incidents', incident.id, `status = '${to}'`)
    expect(await db.one('select status from incidents where id = $1', [incident.id])).toEqual({ status: to })
  })

  test.each(moves.filter(({ may }) => !may))('C31: not from $from to $to', async ({ from, to }) => {
    const incident = await make.anIncident({ status: from })
    await expect(update('incidents', incident.id, `status = '${to}'`)).rejects.toMatchObject({
      code: '23514',
      message: `An incident that is ${from} cannot become ${to}`,
      hint: expect.stringContaining('Allowed from here'),
    })
  })

  test('A9: moving stamps acknowledged, resolved and closed, and reopening clears the last two', async () => {
    const incident = await make.anIncident()
    const stamps = async () =>
      db.one(
        `select acknowledged is not null as acknowledged, resolved is not null as resolved, closed is not null as closed
              from incidents where id = $1`,
        [incident.id],
      )
    expect(await stamps()).toEqual({ acknowledged: false, resolved: false, closed: false })
    await update('incidents', incident.id, `status = 'investigating'`)
    expect(await stamps()).toEqual({ acknowledged: true, resolved: false, closed: false })
    await update('incidents', incident.id, `status = 'resolved'`)
    expect(await stamps()).toEqual({ acknowledged: true, resolved: true, closed: false })
    await update('incidents', incident.id, `status = 'closed'`)
    expect(await stamps()).toEqual({ acknowledged: true, resolved: true, closed: true })
    await update('incidents', incident.id, `status = 'open'`)
    expect(await stamps()).toEqual({ acknowledged: true, resolved: false, closed: false })
  })

  test('a stamp that comes with the change is kept', async () => {
    const incident = await make.anIncident()
    await update('incidents', incident.id, `status = 'resolved', resolved = '2026-01-02T03:04:05Z'`)
    expect(await db.one('select resolved from incidents where id = $1', [incident.id])).toEqual({
      resolved: new Date('2026-01-02T03:04:05Z'),
    })
  })

  test('A9: an incident of a component counts until it is resolved, closed or cancelled', async () => {
    const component = await make.aComponent()
    const incident = await make.anIncident({ severity: 'high' })
    const hypothesis = await make.aHypothesis({ incident_id: incident.id })
    await make.anEvidence({ hypothesis_id: hypothesis.id, component_id: component.id, type: 'topology' })
    await make.anEvidence({ hypothesis_id: hypothesis.id, component_id: component.id, type: 'log' })
    const summary = () =>
      db.maybeOne('select incidents from incident_summary_by_component where id = $1', [component.id])
    expect(await summary()).toEqual({ incidents: { availability: { high: 1 } } })
    await update('incidents', incident.id, `status = 'resolved'`)
    expect(await summary()).toBeUndefined()
  })
})

describe('summary', () => {
  test('A10: a commenter shows on every incident commented on, a responder once', async () => {
    const person = await make.aPerson({ avatar: 'a.png' })
    const team = await make.aTeam({ icon: 'team' })
    const incidents = [await make.anIncident({ commander_id: person.id }), await make.anIncident()]
    for (const { id } of incidents) {
      for (const comment of ['one', 'two'])
        await make.insert('comments', { incident_id: id, comment, created_by: person.id })
      await make.insert('responders', { incident_id: id, type: 'system', team_id: team.id, created_by: person.id })
      await make.insert('responders', { incident_id: id, type: 'system', team_id: team.id, created_by: person.id })
    }
    const shown = await db.query(
      'select commander, responders, commenters from incident_summary where id = any ($1) order by created_at, id',
      [incidents.map(({ id }) => id)],
    )
    const someone = { id: person.id, avatar: 'a.png', name: person.name }
    const others = { responders: [{ id: team.id, avatar: 'team', name: team.name }], commenters: [someone] }
    expect(shown).toEqual([
      { commander: someone, ...others },
      { commander: { id: null, avatar: null, name: null }, ...others },
    ])
  })

  test('incidents are found once by component and by config', async () => {
    const [component, config, incident] = [await make.aComponent(), await make.aConfig(), await make.anIncident()]
    const hypothesis = await make.aHypothesis({ incident_id: incident.id })
    for (const type of ['topology', 'log'])
      await make.anEvidence({ hypothesis_id: hypothesis.id, component_id: component.id, config_id: config.id, type })
    expect(await db.query('select id from incidents_by_component where component_id = $1', [component.id])).toEqual([
      { id: incident.id },
    ])
    expect(await db.query('select id from incidents_by_config where config_id = $1', [config.id])).toEqual([
      { id: incident.id },
    ])
    expect(await db.query('select id from lookup_component_incidents($1)', [component.id])).toEqual([
      { id: incident.id },
    ])
  })
})

test('the text now() is a time', async () => {
  const incident = await make.anIncident({ created_at: 'now()', updated_at: 'now()' })
  expect(Math.abs(Date.now() - (incident['created_at'] as Date).getTime())).toBeLessThan(60_000)
  const responder = await make.insert('responders', {
    incident_id: incident.id,
    type: 'person',
    created_by: systemPerson,
  })
  await db.run('update responders set deleted_at = $2 where id = $1', [responder.id, 'now()'])
  const cast = await db.one<{ deleted_at: Date; json: Date }>(
    `select deleted_at, (json_populate_record(null::responders, '{"deleted_at": "now()"}')).deleted_at as json from responders where id = $1`,
    [responder.id],
  )
  expect(cast.deleted_at).toBeInstanceOf(Date)
  expect(cast.json).toBeInstanceOf(Date)
})

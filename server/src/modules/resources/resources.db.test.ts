import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { applyCommand, applyPaths } from './apply-command.ts'
import { idOf } from './canonical.ts'
import { exportCommand, exportDocuments } from './export-command.ts'
import { findFiles } from './files.ts'
import { firstStartFolder } from './first-start.ts'

const db = await testDatabase()
const ctx = testContext(db)
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-apply-'))
afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(async () => {
  for (const table of [
    'notifications',
    'incident_rules',
    'playbooks',
    'topologies',
    'config_scrapers',
    'canaries',
    'teams',
    'connections',
    'resource_files',
  ]) {
    await db.run(`delete from ${table}`)
  }
  rmSync(folder, { recursive: true, force: true })
  await import('node:fs/promises').then(({ mkdir }) => mkdir(folder))
})

const write = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const apply = (options: { dryRun?: boolean; adopt?: boolean; prune?: boolean } = {}, paths = [folder]) =>
  applyPaths(ctx, { paths, ...options })
const actions = (result: Awaited<ReturnType<typeof apply>>) =>
  result.outcomes.map((outcome) => `${outcome.kind} ${outcome.name} ${outcome.action}`)

const documents = {
  Connection: `apiVersion: mission-control.flanksource.com/v1
kind: Connection
metadata: {name: orders-db, namespace: shop}
spec:
  type: postgres
  url: {value: "postgres://$(username):$(password)@db.local/orders"}
  username: {value: reader}
  password: {value: hunter2}
  properties: {host: db.local, port: 5432}
`,
  Team: `apiVersion: mission-control.flanksource.com/v1
kind: Team
metadata: {name: blue}
spec:
  icon: shield
  components: [{labelSelector: team=blue}]
  notifications: [{name: chat, connection: "connection://slack/ops"}]
`,
  Canary: `apiVersion: canaries.flanksource.com/v1
kind: Canary
metadata: {name: shop, namespace: web, labels: {team: blue}, annotations: {trace: "true"}}
spec:
  schedule: "@every 45s"
  http: [{name: basket, url: "http://basket.local/ping"}]
`,
  ScrapeConfig: `apiVersion: configs.flanksource.com/v1
kind: ScrapeConfig
metadata: {name: racks, namespace: infra}
spec:
  schedule: "@every 20m"
  file: [{paths: ["/etc/racks/*.yaml"], type: "Rack::Unit", id: $.serial}]
`,
  Topology: `apiVersion: canaries.flanksource.com/v1
kind: Topology
metadata: {name: shop, labels: {app: shop}}
spec: {schedule: "@every 5m", icon: shop, components: [{name: web}]}
`,
  Playbook: `apiVersion: mission-control.flanksource.com/v1
kind: Playbook
metadata: {name: restart}
spec:
  title: Restart it
  icon: refresh
  category: Ops
  description: Restarts the thing
  actions: [{name: go, exec: {script: "echo hi"}}]
`,
  IncidentRule: `apiVersion: mission-control.flanksource.com/v1
kind: IncidentRule
metadata: {name: web-down}
spec: {components: [{types: [Service]}], filter: {status: [unhealthy]}, breakOnMatch: true}
`,
  Notification: `apiVersion: mission-control.flanksource.com/v1
kind: Notification
metadata: {name: tell-blue}
spec:
  events: [check.failed, check.passed]
  title: "{{.check.name}}"
  filter: check.name == 'x'
  repeatInterval: 1h
  groupBy: [resource_id]
  to: {team: blue}
`,
}
const everything = Object.values(documents).join('---\n')

describe('applying', () => {
  test('every kind becomes a row that carries its source', async () => {
    write('all.yaml', everything)
    const result = await apply()
    expect(result.problems).toEqual([])
    expect(actions(result)).toEqual([
      'Connection orders-db created',
      'Team blue created',
      'Canary shop created',
      'ScrapeConfig racks created',
      'Topology shop created',
      'Playbook restart created',
      'IncidentRule web-down created',
      'Notification tell-blue created',
    ])
    expect(await db.one('select name, namespace, labels, annotations, spec, source from canaries')).toEqual({
      name: 'shop',
      namespace: 'web',
      labels: { team: 'blue' },
      annotations: { trace: 'true' },
      source: 'ConfigFile',
      spec: { schedule: '@every 45s', http: [{ name: 'basket', url: 'http://basket.local/ping' }] },
    })
    expect(await db.one('select name, source from config_scrapers')).toEqual({
      name: 'infra/racks',
      source: 'ConfigFile',
    })
    expect(await db.one('select name, namespace, schedule, labels, source from topologies')).toEqual({
      name: 'shop',
      namespace: 'default',
      schedule: '@every 5m',
      labels: { app: 'shop' },
      source: 'ConfigFile',
    })
    expect(await db.one('select name, namespace, title, icon, category, description, source from playbooks')).toEqual({
      name: 'restart',
      namespace: 'default',
      title: 'Restart it',
      icon: 'refresh',
      category: 'Ops',
      description: 'Restarts the thing',
      source: 'ConfigFile',
    })
    expect(await db.one('select name, icon, spec, source from teams')).toMatchObject({
      name: 'blue',
      icon: 'shield',
      source: 'ConfigFile',
    })
    expect(
      await db.one(
        'select n.events, n.repeat_interval, n.group_by, t.name as team, n.custom_services, n.source from notifications n join teams t on t.id = n.team_id',
      ),
    ).toEqual({
      events: ['check.failed', 'check.passed'],
      repeat_interval: '1h',
      group_by: ['resource_id'],
      team: 'blue',
      custom_services: null,
      source: 'ConfigFile',
    })
  })

  test('twice changes nothing, and ids stay', async () => {
    write('all.yaml', everything)
    const first = await apply()
    const before = await db.query('select id, updated_at from canaries')
    const changes = (await db.one<{ n: string }>('select last_value as n from live_change_ids')).n
    const second = await apply()
    expect(new Set(second.outcomes.map((outcome) => outcome.action))).toEqual(new Set(['unchanged']))
    expect(second.outcomes.map((outcome) => outcome.id)).toEqual(first.outcomes.map((outcome) => outcome.id))
    expect(await db.query('select id, updated_at from canaries')).toEqual(before)
    expect((await db.one<{ n: string }>('select last_value as n from live_change_ids')).n).toBe(changes)
  })

  test('the same name gives the same id anywhere, and metadata.uid wins', async () => {
    write('a.yaml', documents.Canary)
    const [outcome] = (await apply()).outcomes
    expect(outcome?.id).toBe(idOf('Canary', 'web', 'shop'))
    expect(outcome?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab]/)
    const uid = '0190f3aa-0000-7000-8000-000000000abc'
    write('b.yaml', documents.Topology.replace('metadata: {', `metadata: {uid: ${uid}, `))
    expect((await apply()).outcomes.find((each) => each.kind === 'Topology')?.id).toBe(uid)
  })

  test('begins again when it lost against somebody who worked on the same rows', async () => {
    write('all.yaml', everything)
    let losses = 2
    const contended = {
      ...ctx,
      db: {
        ...db,
        tx: ((work: (sql: never, client: never) => Promise<unknown>) =>
          db.tx(async (sql, client) => {
            const result = await work(sql as never, client as never)
            if (losses-- > 0) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
            return result
          })) as typeof db.tx,
      },
    }
    const result = await applyPaths(contended, { paths: [folder] })
    expect(result.outcomes.map(({ action }) => action)).toEqual(Array.from({ length: 8 }, () => 'created'))
    expect(losses).toBe(-1)
  })

  test('a change names what differs', async () => {
    const path = write('a.yaml', documents.Playbook)
    await apply()
    write('a.yaml', documents.Playbook.replace('Restart it', 'Restart everything'))
    const lines: string[] = []
    expect(await applyCommand(ctx, { paths: [path] }, (line) => lines.push(line))).toBe(0)
    expect(lines).toEqual(['Playbook default/restart changed (title, spec)', '0 created, 1 changed'])
  })

  test('a dry run says all of it and writes nothing', async () => {
    write('a.yaml', documents.Canary)
    write('b.yaml', documents.Topology)
    await apply()
    write('a.yaml', documents.Canary.replace('45s', '50s'))
    rmSync(join(folder, 'b.yaml'))
    write('c.yaml', documents.Team)
    const lines: string[] = []
    await applyCommand(ctx, { paths: [folder], dryRun: true, prune: true }, (line) => lines.push(line))
    expect(lines).toEqual([
      'Team blue created',
      'Canary web/shop changed (spec)',
      'Topology default/shop removed',
      '1 created, 1 changed, 1 removed (dry run: nothing was written)',
    ])
    expect(await db.query('select from teams')).toEqual([])
    expect(await db.query(`select from canaries where spec ->> 'schedule' = '@every 45s'`)).toHaveLength(1)
    expect(await db.query('select from topologies where deleted_at is null')).toHaveLength(1)
  })

  test('what a file no longer says stays unless it is pruned; then it is soft-deleted, and comes back with its id', async () => {
    write('a.yaml', documents.Canary + '---\n' + documents.Topology)
    const before = (await apply()).outcomes.map((outcome) => outcome.id)
    write('a.yaml', documents.Canary)
    expect(actions(await apply())).toEqual(['Canary shop unchanged', 'Topology shop left'])
    expect(actions(await apply({ prune: true }))).toEqual(['Canary shop unchanged', 'Topology shop removed'])
    expect(await db.query('select from topologies where deleted_at is not null')).toHaveLength(1)
    write('a.yaml', documents.Canary + '---\n' + documents.Topology)
    const again = await apply()
    expect(actions(again)).toEqual(['Canary shop unchanged', 'Topology shop created'])
    expect(again.outcomes.map((outcome) => outcome.id)).toEqual(before)
    expect(await db.query('select from topologies')).toHaveLength(1)
  })

  test('only the files that were named count as spoken for', async () => {
    const a = write('a.yaml', documents.Canary)
    write('b.yaml', documents.Topology)
    await apply()
    expect(actions(await apply({ prune: true }, [a]))).toEqual(['Canary shop unchanged'])
  })

  test('one bad document does not stop the others, and its row stays', async () => {
    write('a.yaml', everything)
    await apply()
    write('a.yaml', everything.replace('@every 45s', 'sometimes').replace('team: blue}\n', 'team: nobody}\n'))
    const result = await apply({ prune: true })
    expect(result.ok).toBe(false)
    expect(result.problems.map((problem) => problem.path)).toEqual(['spec.schedule', 'spec.to.team'])
    expect(result.problems[1]).toMatchObject({ document: 8, message: 'there is no team nobody' })
    expect(actions(result).filter((line) => !line.endsWith('unchanged'))).toEqual(['Notification tell-blue failed'])
    expect(await db.query('select from canaries where deleted_at is null')).toHaveLength(1)
    expect(await db.query('select from notifications where deleted_at is null')).toHaveLength(1)
  })

  test('a file that cannot be read at all takes nothing with it', async () => {
    write('a.yaml', everything)
    await apply()
    write('a.yaml', 'a: [unclosed')
    const result = await apply({ prune: true })
    expect(result.problems).toHaveLength(1)
    expect(result.outcomes).toEqual([])
    expect(await db.query('select from canaries where deleted_at is null')).toHaveLength(1)
  })

  test('the same document in two files is refused the second time, with both places', async () => {
    write('a.yaml', documents.Team)
    write('b.yaml', documents.Team)
    const result = await apply()
    expect(actions(result)).toEqual(['Team blue created', 'Team blue failed'])
    expect(result.problems[0]?.message).toBe(`Team blue is already defined in ${join(folder, 'a.yaml')}, document 1`)
  })

  test('a document may move to another file', async () => {
    write('a.yaml', documents.Team)
    await apply()
    rmSync(join(folder, 'a.yaml'))
    write('b.yaml', documents.Team)
    expect(actions(await apply({ prune: true }))).toEqual(['Team blue unchanged'])
  })

  test('rows that were changed elsewhere are put right', async () => {
    write('a.yaml', documents.Canary)
    await apply()
    await db.run(`update canaries set labels = '{"team":"red"}'`)
    expect(actions(await apply())).toEqual(['Canary shop changed'])
    expect(await db.one('select labels from canaries')).toEqual({ labels: { team: 'blue' } })
  })

  test('no such file, an empty folder', async () => {
    await expect(apply({}, ['/no/such/file.yaml'])).rejects.toThrow('There is no file or folder /no/such/file.yaml.')
    await expect(apply()).rejects.toThrow('There are no .yaml, .yml or .json files')
  })

  test('documents that come with the product are not applied as files', async () => {
    await expect(apply({}, [firstStartFolder])).rejects.toThrow('There are no .yaml, .yml or .json files')
    const [first] = await findFiles(firstStartFolder)
    await expect(apply({}, [first!.path])).rejects.toThrow('comes with the product')
  })
})

describe('rows that people made', () => {
  test.each([
    ['Topology', `insert into topologies (name, namespace, spec) values ('shop', 'default', '{}')`, 'topologies'],
    ['Canary', `insert into canaries (name, namespace, spec, source) values ('shop', 'web', '{}', 'UI')`, 'canaries'],
    [
      'Connection',
      `insert into connections (name, namespace, type) values ('orders-db', 'shop', 'http')`,
      'connections',
    ],
    ['Team', `insert into teams (name, created_by) select 'blue', id from people where name = 'System'`, 'teams'],
    [
      'ScrapeConfig',
      `insert into config_scrapers (name, spec, source) values ('infra/racks', '{}', 'UI')`,
      'config_scrapers',
    ],
  ] as const)('%s of the same name is not overwritten, but can be taken over', async (kind, insert, table) => {
    await db.run(insert)
    const before = await db.one<{ id: string }>(`select id from ${table}`)
    write('a.yaml', documents[kind])
    const refused = await apply()
    expect(refused.problems[0]).toMatchObject({
      path: 'metadata.name',
      message: expect.stringContaining('somebody made one of this name in the console'),
    })
    expect(actions(await apply({ adopt: true }))).toEqual([`${kind} ${refused.outcomes[0]?.name} changed`])
    expect(await db.one(`select id, source::text from ${table}`)).toEqual({ id: before.id, source: 'ConfigFile' })
  })

  test('a name that a deleted team still keeps is given back to it', async () => {
    await db.run(
      `insert into teams (name, created_by, deleted_at) select 'blue', id, now() from people where name = 'System'`,
    )
    const before = await db.one<{ id: string }>('select id from teams')
    write('a.yaml', documents.Team)
    expect((await apply()).problems).toEqual([])
    expect(await db.query('select id, deleted_at from teams')).toEqual([{ id: before.id, deleted_at: null }])
  })

  test('canaries inside components may be called alike', async () => {
    await db.run(`insert into canaries (name, namespace, spec, source) values ('shop', 'web', '{}', 'component/0190')`)
    write('a.yaml', documents.Canary)
    expect(actions(await apply())).toEqual(['Canary shop created'])
  })
})

describe('secrets', () => {
  test('are encrypted at rest, and applying again changes nothing', async () => {
    write('a.yaml', documents.Connection)
    await apply()
    const row = await db.one<{
      password: string
      url: string
      username: string
      properties: object
      insecure_tls: boolean
    }>('select * from connections')
    expect(ctx.secrets.isEncrypted(row.password)).toBe(true)
    expect(ctx.secrets.decrypt(row.password)).toBe('hunter2')
    expect(row).toMatchObject({
      url: 'postgres://$(username):$(password)@db.local/orders',
      username: 'reader',
      properties: { host: 'db.local', port: '5432' },
      insecure_tls: false,
    })
    expect(actions(await apply())).toEqual(['Connection orders-db unchanged'])
    write('a.yaml', documents.Connection.replace('hunter2', 'hunter3'))
    expect(actions(await apply())).toEqual(['Connection orders-db changed'])
  })

  test('references stay references, in both spellings', async () => {
    write(
      'a.yaml',
      documents.Connection.replace(
        '{value: hunter2}',
        '{valueFrom: {secretKeyRef: {name: db, key: password}}}',
      ).replace('{value: reader}', 'configmap://db/user'),
    )
    await apply()
    expect(await db.one('select username, password from connections')).toEqual({
      username: 'configmap://db/user',
      password: 'secret://db/password',
    })
  })

  test('an address with a password inside is a secret', async () => {
    write('a.yaml', documents.Connection.replace('$(username):$(password)@', 'reader:s3cret@'))
    await apply()
    expect(JSON.stringify(await db.query('select * from connections'))).not.toContain('s3cret')
    expect(JSON.stringify(await db.query('select * from resource_files'))).not.toContain('s3cret')
  })

  test('a value from two places is refused', async () => {
    write('a.yaml', documents.Connection.replace('{value: hunter2}', '{value: x, valueFrom: {serviceAccount: y}}'))
    expect((await apply()).problems[0]).toMatchObject({
      path: 'spec.password',
      message: 'a value comes from one place only',
    })
  })
})

describe('exporting', () => {
  const exported = async () => {
    const lines: string[] = []
    await exportCommand(ctx, {}, (line) => lines.push(line))
    return lines.join('\n')
  }

  test('what was applied comes out again, and applying that changes nothing', async () => {
    const path = write('all.yaml', everything)
    await apply()
    rmSync(path)
    write('again.yaml', await exported())
    const result = await apply({ prune: true })
    expect(result.problems).toEqual([])
    expect(result.outcomes.map((outcome) => outcome.action)).toEqual(Array(8).fill('unchanged'))
  })

  test('secrets never come out in clear, and this server reads its own back', async () => {
    await db.run(
      `insert into connections (name, type, password, url) values ('plain', 'http', 'pa55word', 'http://u:t0ken@host/')`,
    )
    await db.run(
      `insert into canaries (name, namespace, spec, source) values ('c', 'default', '{"http":[{"name":"a","url":"http://x","password":{"value":"pa55word"},"token":"t0ken","username":"me"}]}', 'UI')`,
    )
    await db.run(
      `insert into teams (name, created_by, spec) select 't', id, '{"responder_clients":{"jira":{"password":{"value":"pa55word"},"username":{"value":"me"}}}}' from people where name = 'System'`,
    )
    const text = await exported()
    expect(text).not.toMatch(/pa55word|t0ken/)
    expect(text).toContain('username')
    await db.run('delete from canaries')
    await db.run('delete from connections')
    await db.run('delete from teams')
    write('a.yaml', text)
    expect((await apply()).problems).toEqual([])
    expect(
      await db.one(
        `select spec #>> '{http,0,password,value}' as password, spec #>> '{http,0,token}' as token from canaries`,
      ),
    ).toEqual({ password: 'pa55word', token: 't0ken' })
    const { password } = await db.one<{ password: string }>('select password from connections')
    expect(ctx.secrets.decrypt(password)).toBe('pa55word')
  })

  test('a value sealed by another installation is refused with its place', async () => {
    const other = testContext(db)
    write('a.yaml', documents.Connection.replace('hunter2', other.secrets.encrypt('hunter2')))
    expect((await apply()).problems[0]).toMatchObject({
      path: 'spec.password.value',
      line: 8,
      message: expect.stringContaining('sealed with another key'),
    })
  })

  test('only the kinds asked for, one file each', async () => {
    write('all.yaml', everything)
    await apply()
    const out = join(folder, 'out')
    const lines: string[] = []
    expect(
      await exportCommand(ctx, { kinds: ['canary', 'scrape-config'], folder: out }, (line) => lines.push(line)),
    ).toBe(0)
    expect(lines).toEqual([`2 documents written to ${out}`])
    const { readdirSync } = await import('node:fs')
    expect(readdirSync(out).toSorted()).toEqual(['canary-web-shop.yaml', 'scrapeconfig-infra-racks.yaml'])
    await expect(exportCommand(ctx, { kinds: ['Pod'] }, () => undefined)).rejects.toThrow('There is no kind "Pod"')
  })

  test('rows of agents, deleted rows and canaries inside components are not exported', async () => {
    await db.run(
      `insert into agents (id, name) values ('11111111-1111-4111-8111-111111111111', 'edge') on conflict do nothing`,
    )
    await db.run(`insert into canaries (name, namespace, spec, source, agent_id, deleted_at) values
      ('a', 'd', '{}', 'UI', '11111111-1111-4111-8111-111111111111', null),
      ('b', 'd', '{}', 'UI', '00000000-0000-0000-0000-000000000000', now()),
      ('c', 'd', '{}', 'component/1', '00000000-0000-0000-0000-000000000000', null)`)
    expect(await exportDocuments(ctx)).toEqual([])
    await db.run('delete from canaries')
  })
})

test('two hundred documents in forty files', async () => {
  for (let file = 0; file < 40; file++) {
    write(
      `f${file}.yaml`,
      Array.from({ length: 5 }, (_, n) => documents.Canary.replace('name: shop', `name: shop-${file}-${n}`)).join(
        '---\n',
      ),
    )
  }
  const before = performance.now()
  expect((await apply()).outcomes.filter((outcome) => outcome.action === 'created')).toHaveLength(200)
  expect((await apply()).outcomes.filter((outcome) => outcome.action === 'unchanged')).toHaveLength(200)
  expect(performance.now() - before).toBeLessThan(15_000)
})

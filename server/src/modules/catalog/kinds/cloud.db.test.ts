import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AwsApi, awsAccount, awsKeys } from '../../../testing/aws-api.ts'
import { fakeClock, testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { clusterDump } from '../../../testing/kube-api/dump.ts'
import { KubeApi } from '../../../testing/kube-api/kube-api.ts'
import { fakeServer, json } from '../../health/kinds/testing.ts'
import { aScraper, scrape, setSpec } from '../testing.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const db = await testDatabase()
const clock = fakeClock('2026-01-03T00:00:00Z')
const ctx = testContext(db, { clock })
beforeEach(async () => {
  await db.run('delete from config_items')
  await db.run('delete from config_change_fingerprints')
  await db.run('delete from config_scrapers')
})
type Row = Record<string, unknown> & { id: string; type: string; parent_id: string | null; cost_total_30d: unknown }
const item = async (name: string) =>
  (await db.query<Row>('select * from config_items where name = $1 or $1 = any(external_id)', [name]))[0]!
const live = async () => (await db.query('select 1 from config_items where deleted_at is null')).length

describe('aws', () => {
  const api = new AwsApi()
  beforeAll(() => api.start())
  beforeEach(() => api.reset())
  afterAll(() => api.close())
  const spec = (more: object = {}) => ({
    aws: [{ ...awsKeys, endpoint: api.url, region: 'eu-west-1', ...more }],
    retention: { staleItemAge: '1h' },
  })
  const costReporting = { table: 'cur', database: 'billing' }

  test('an account is stored as a tree with changes, insights and costs; scraped again nothing changes', async () => {
    const scraper = await aScraper(db, spec({ cloudtrail: {}, compliance: true, costReporting }))
    expect((await scrape(ctx, scraper)).problems).toEqual([])
    const [instance, subnet, vpc, region, account] = [
      await item('i-1'),
      await item('subnet-1'),
      await item('vpc-1'),
      await item('eu-west-1'),
      await item('acme'),
    ]
    expect(instance).toMatchObject({ type: 'AWS::EC2::Instance', parent_id: subnet.id, health: 'healthy' })
    expect([Number(instance.cost_total_30d), Number(account.cost_total_30d)]).toEqual([3000, 30])
    expect([subnet.parent_id, vpc.parent_id, region.parent_id]).toEqual([vpc.id, region.id, account.id])
    expect(account).toMatchObject({ external_id: [awsAccount], parent_id: null })
    expect(region).toMatchObject({ scraper_id: null })
    expect(await db.query('select * from config_changes')).toMatchObject([
      {
        change_type: 'StopInstances',
        external_change_id: 'e1',
        external_created_by: 'ada',
        config_id: (await item('i-2')).id,
      },
    ])
    expect(await db.query('select * from config_analysis')).toMatchObject([
      { analyzer: 'ec2-instance-no-public-ip', status: 'open', severity: 'critical', config_id: instance.id },
    ])
    const again = await scrape(ctx, scraper)
    expect(Object.values(again.summary.types).every(({ added, updated }) => added + updated === 0)).toBe(true)
    expect(await db.query('select 1 from config_changes')).toHaveLength(1)
  })
  test('a service that refuses takes nothing away', async () => {
    const scraper = await aScraper(db, spec())
    await scrape(ctx, scraper)
    const before = await live()
    api.denied = ['DescribeInstances', 'ListRoles']
    clock.add(3 * 3_600_000)
    const { problems } = await scrape(ctx, scraper)
    expect(problems.map((problem) => problem.item)).toEqual(['EC2instance in eu-west-1', 'Roles'])
    expect(await live()).toBe(before)
    expect(JSON.stringify(problems)).not.toContain(awsKeys.secretKey)
  })
})

test('runs of a workflow are stored once and follow their outcome', async () => {
  let conclusion: string | null = null
  let updated = '2026-01-02T10:00:00Z'
  const fake = await fakeServer((request, response) => {
    if (request.url!.startsWith('/repos/acme/shop/actions/workflows?'))
      return json(response, { workflows: [{ id: 7, name: 'Build', state: 'active' }] })
    const run = {
      id: 1,
      run_number: 1,
      display_title: 'Fix',
      status: conclusion ? 'completed' : 'in_progress',
      conclusion,
      created_at: '2026-01-02T09:00:00Z',
      updated_at: updated,
      actor: { login: 'ada' },
    }
    json(response, { workflow_runs: [run] })
  })
  try {
    const scraper = await aScraper(db, { githubActions: [{ owner: 'acme', repository: 'shop', connection: fake.url }] })
    expect((await scrape(ctx, scraper)).problems).toEqual([])
    conclusion = 'failure'
    updated = '2026-01-02T10:05:00Z'
    await scrape(ctx, scraper)
    await scrape(ctx, scraper)
    expect(await db.query('select * from config_changes')).toMatchObject([
      { change_type: 'GithubAction', severity: 'failure', summary: 'Fix #1 failure', external_created_by: 'ada' },
    ])
    expect(await item('Build')).toMatchObject({
      type: 'GitHubActions::WorkflowRun',
      health: 'unhealthy',
      status: 'failure',
    })
  } finally {
    fake.close()
  }
})

test('findings of trivy are insights of the objects of their cluster, resolved once they are gone and not before', async () => {
  const cluster = await new KubeApi().start()
  const folder = await mkdtemp(join(tmpdir(), 'qd-trivy-db-'))
  const path = process.env.PATH
  const report = (findings: object[], error = '') =>
    writeFile(
      join(folder, 'report'),
      JSON.stringify({
        Resources: [
          {
            Namespace: 'team-1',
            Kind: 'Deployment',
            Name: 'app-1',
            Error: error,
            Results: [{ Target: 'app', Vulnerabilities: findings }],
          },
        ],
      }),
    )
  try {
    for (const object of clusterDump({ teams: 1, services: 1, nodes: 1 })) cluster.store.put(object)
    await writeFile(
      join(folder, 'trivy'),
      `#!/bin/sh\nif [ "$1" = --version ]; then echo "Version: 0.57.1"; else cat ${folder}/report; fi\n`,
    )
    await chmod(join(folder, 'trivy'), 0o755)
    process.env.PATH = `${folder}${delimiter}${path}`
    const objects = await aScraper(
      db,
      { kubernetes: [{ clusterName: 'prod', kubeconfig: cluster.kubeconfig() }] },
      'default/objects',
    )
    await scrape(ctx, objects)
    const scraper = await aScraper(db, { trivy: [{ kubernetes: { clusterName: 'prod' } }] }, 'default/trivy')
    const vulnerability = {
      VulnerabilityID: 'CVE-1',
      PkgName: 'zlib',
      InstalledVersion: '1',
      Severity: 'HIGH',
      Title: 'zlib',
    }
    const status = async () =>
      (await db.query<{ analyzer: string; status: string }>('select * from config_analysis order by analyzer')).map(
        (each) => `${each.analyzer} ${each.status}`,
      )
    await report([vulnerability, { ...vulnerability, PkgName: 'zlib-dev' }])
    expect((await scrape(ctx, scraper)).problems).toEqual([])
    expect(await status()).toEqual(['CVE-1 open'])
    const [insight] = await db.query<{ message: string }>('select * from config_analysis')
    expect(insight!.message).toContain('zlib-dev 1 in app')
    clock.add(60_000)
    await report([], 'scan timed out')
    await scrape(ctx, scraper)
    expect(await status()).toEqual(['CVE-1 open'])
    clock.add(60_000)
    await report([])
    await scrape(ctx, scraper)
    expect(await status()).toEqual(['CVE-1 resolved'])
  } finally {
    process.env.PATH = path
    cluster.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('what a spec gets wrong is said by its place, for every kind', async () => {
  const scraper = await aScraper(db, {
    kubernetes: [{}],
    azure: [{ subscriptionID: 's' }],
    aws: [{}],
    azureDevops: [{ projects: ['x'] }],
    githubActions: [{}],
    kubernetesFile: [{ selector: {}, files: [] }],
    trivy: [{ severity: ['no words'] }],
  })
  const words = (await scrape(ctx, scraper)).problems.map(({ message }) => message)
  for (const place of [
    'kubernetes[0].clusterName',
    'githubActions[0].owner',
    'kubernetesFile[0].files',
    'trivy[0].severity',
  ])
    expect(words.some((message) => message.startsWith(place))).toBe(true)
  expect(words.join('\n')).toMatch(/tenantID, clientID and clientSecret/)
  expect(words.join('\n')).toMatch(/accessKey and secretKey/)
  expect(words.join('\n')).toMatch(/organization and personalAccessToken/)
  expect((await setSpec(db, scraper, {})).id).toBe(scraper.id)
})

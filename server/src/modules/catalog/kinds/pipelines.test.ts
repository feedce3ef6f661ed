import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fakeServer, json } from '../../health/kinds/testing.ts'
import { azureDevops } from './azure-devops.ts'
import { githubActions } from './github-actions.ts'
import { aRun, scrapeAll } from './testing.ts'

/** A connection by its address, which is how a scraper may name one; the token is the spec's own. */
type Fake = Awaited<ReturnType<typeof fakeServer>>

describe('githubActions', () => {
  let fake: Fake
  const token = 'ghp_scraperToken1'
  const made = (id: number, conclusion: string | null, updated: string) => ({
    id,
    run_number: id,
    name: 'Build',
    display_title: `Change ${id}`,
    status: conclusion ? 'completed' : 'in_progress',
    conclusion,
    html_url: `https://github.com/acme/shop/actions/runs/${id}`,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: updated,
    triggering_actor: { login: 'ada' },
    repository: { description: 'long' },
  })
  let runs: ReturnType<typeof made>[] = []
  let isBroken = false
  beforeAll(async () => {
    fake = await fakeServer((request, response) => {
      const url = new URL(request.url!, 'http://x')
      if (request.headers.authorization !== `Bearer ${token}`)
        return json(response, { message: 'Bad credentials' }, 401)
      if (url.pathname === '/repos/acme/shop/actions/workflows')
        return json(response, {
          total_count: 2,
          workflows: [
            {
              id: 7,
              name: 'Build',
              state: 'active',
              html_url: 'https://github.com/acme/shop/build',
              created_at: '2025-01-01T00:00:00Z',
            },
            { id: 8, name: 'Nightly', state: 'active' },
          ],
        })
      if (url.pathname.endsWith('/8/runs') && isBroken) return json(response, { message: 'boom' }, 502)
      if (url.pathname === '/repos/acme/shop/actions/workflows/8/runs') return json(response, { workflow_runs: [] })
      if (url.pathname !== '/repos/acme/shop/actions/workflows/7/runs')
        return json(response, { message: 'Not Found' }, 404)
      const page = Number(url.searchParams.get('page') ?? 1)
      const size = Number(url.searchParams.get('per_page'))
      if (page * size < runs.length)
        response.setHeader('link', `<${fake.url}${url.pathname}?per_page=${size}&page=${page + 1}>; rel="next"`)
      json(response, { total_count: runs.length, workflow_runs: runs.slice((page - 1) * size, page * size) })
    })
  })
  afterAll(() => fake.close())
  const spec = (more = {}) => ({
    owner: 'acme',
    repository: 'shop',
    personalAccessToken: token,
    connection: fake.url,
    ...more,
  })

  test('workflows are items, runs their changes; what is stored already is not told again', async () => {
    runs = Array.from({ length: 230 }, (_, at) =>
      made(
        230 - at,
        at === 0 ? null : at === 1 ? 'failure' : 'success',
        `2026-02-01T00:${String(59 - (at % 60)).padStart(2, '0')}:00Z`,
      ),
    )
    const kept = { value: undefined as unknown }
    const first = await scrapeAll(githubActions, spec(), aRun({}, kept))
    expect(first.failure).toBeUndefined()
    expect(first.items).toMatchObject([
      {
        id: 'acme/shop/7',
        type: 'GitHubActions::WorkflowRun',
        configClass: 'Deployment',
        name: 'Build',
        status: 'in progress',
        health: 'unknown',
        tags: { owner: 'acme', repository: 'shop' },
      },
      { id: 'acme/shop/8', name: 'Nightly', changes: [] },
    ])
    const changes = first.items[0]!.changes!
    expect(changes).toHaveLength(230)
    expect(changes.filter(({ changeType }) => changeType === 'GithubAction')).toHaveLength(100)
    expect(changes.filter(({ changeType }) => changeType === 'GithubWorkflowRun')).toHaveLength(130)
    expect(changes[1]).toMatchObject({
      externalChangeId: 'github/229',
      severity: 'failure',
      summary: 'Change 229 #229 failure',
      createdBy: 'ada',
      updateExisting: true,
    })
    expect(changes[1]!.details).not.toHaveProperty('repository')
    runs = [made(231, 'success', '2026-03-01T00:00:00Z'), ...runs]
    const asked = fake.seen.length
    const second = await scrapeAll(githubActions, spec(), aRun({}, kept))
    expect(second.items[0]).toMatchObject({ status: 'success', health: 'healthy' })
    expect(second.items[0]!.changes!.map(({ externalChangeId }) => externalChangeId)).toContain('github/231')
    expect(second.items[0]!.changes!.length).toBeLessThan(10)
    expect(fake.seen.length - asked).toBeLessThanOrEqual(5)
  })
  test('only the workflows that are asked for; one that fails leaves the others; a refused token says so', async () => {
    expect((await scrapeAll(githubActions, spec({ workflows: ['Nigh*'] }))).items.map(({ name }) => name)).toEqual([
      'Nightly',
    ])
    isBroken = true
    const partly = await scrapeAll(githubActions, spec())
    isBroken = false
    expect(partly.items.map(({ name }) => name)).toEqual(['Build'])
    expect(partly.errors).toEqual([{ item: 'workflow Nightly', message: 'GitHub answered 502: boom' }])
    const run = aRun()
    const refused = await scrapeAll(githubActions, spec({ personalAccessToken: 'wrong-token-9' }), run)
    expect(refused.failure?.message).toBe('GitHub answered 401: Bad credentials')
    expect(run.secrets).toContain('wrong-token-9')
    expect((await scrapeAll(githubActions, spec({ repository: 'none' }))).failure?.message).toBe(
      'GitHub answered 404: Not Found',
    )
  })
})

describe('azureDevops', () => {
  let fake: Fake
  const token = 'devops-token-22'
  const made = (id: number, result: string | null, env: string, finished?: string) => ({
    id,
    name: `2026.${id}`,
    state: result ? 'completed' : 'inProgress',
    result,
    createdDate: '2026-01-01T00:00:00Z',
    finishedDate: finished,
    templateParameters: { env },
    _links: { web: { href: `https://dev.azure.com/acme/runs/${id}` } },
  })
  let runs: ReturnType<typeof made>[] = []
  let forbidden = ''
  beforeAll(async () => {
    fake = await fakeServer((request, response) => {
      const url = new URL(request.url!, 'http://x')
      if (request.headers.authorization !== `Basic ${btoa(`:${token}`)}`)
        return response.writeHead(203, { 'content-type': 'text/html' }).end('<html>sign in</html>')
      expect(url.searchParams.get('api-version')).toBe('7.1')
      if (forbidden && url.pathname.startsWith(`/acme/${forbidden}/`))
        return json(response, { message: 'TF401019: no access' }, 403)
      if (url.pathname === '/acme/_apis/projects') {
        if (!url.searchParams.has('continuationToken')) {
          response.setHeader('x-ms-continuationtoken', '1')
          return json(response, { count: 1, value: [{ id: 'p1', name: 'shop' }] })
        }
        return json(response, { count: 1, value: [{ id: 'p2', name: 'infra' }] })
      }
      if (/^\/acme\/(shop|infra)\/_apis\/pipelines$/.test(url.pathname))
        return json(response, {
          value: [
            { id: 1, name: 'deploy', folder: '\\' },
            { id: 2, name: 'lint', folder: '\\' },
          ],
        })
      if (url.pathname === '/acme/shop/_apis/pipelines/1/runs') return json(response, { value: runs })
      if (/pipelines\/\d\/runs$/.test(url.pathname)) return json(response, { value: [] })
      json(response, { message: 'not found' }, 404)
    })
  })
  beforeEach(() => {
    forbidden = ''
    runs = [
      made(3, null, 'live'),
      made(2, 'failed', 'test', '2026-01-02T00:00:00Z'),
      made(1, 'succeeded', 'live', '2026-01-01T01:00:00Z'),
    ]
  })
  afterAll(() => fake.close())
  const spec = (more = {}) => ({
    organization: 'acme',
    personalAccessToken: token,
    connection: fake.url,
    projects: ['shop'],
    ...more,
  })

  test('pipelines are items, runs their changes', async () => {
    const kept = { value: undefined as unknown }
    const { items, errors } = await scrapeAll(azureDevops, spec(), aRun({}, kept))
    expect(errors).toEqual([])
    expect(items).toMatchObject([
      {
        id: 'acme/shop/1',
        type: 'AzureDevops::PipelineRun',
        configClass: 'Deployment',
        name: 'deploy',
        status: 'inProgress',
        tags: { organization: 'acme', project: 'shop' },
      },
      { id: 'acme/shop/2', name: 'lint', status: 'never run', changes: [] },
    ])
    expect(items[0]!.changes).toMatchObject([
      { changeType: 'Deployment', externalChangeId: 'p1/1/3', severity: 'info', summary: '2026.3 inProgress' },
      { severity: 'failed', summary: '2026.2 failed' },
      { severity: 'info', summary: '2026.1 succeeded', source: 'https://dev.azure.com/acme/runs/1' },
    ])
    const again = await scrapeAll(azureDevops, spec(), aRun({}, kept))
    expect(again.items[0]!.changes!.map(({ externalChangeId }) => externalChangeId)).toEqual(['p1/1/3'])
  })
  test('the id is an expression; what a run was started with may make several items of a pipeline', async () => {
    const id = "project.name + '-' + pipeline.name + '-' + pipeline.templateParameters.env"
    const { items } = await scrapeAll(azureDevops, spec({ id, pipelines: ['deploy'] }))
    expect(items.map((item) => [item.id, item.health, item.changes!.length])).toEqual([
      ['shop-deploy-live', 'unknown', 2],
      ['shop-deploy-test', 'unhealthy', 1],
    ])
    expect(azureDevops.schema.parse(spec({ id })).id).toBeUndefined()
    expect((await scrapeAll(azureDevops, spec({ id: 'nobody.x' }))).failure?.message).toMatch(/^id: /)
  })
  test('projects by pattern over all pages; one that is refused leaves the others; unknown ones are told', async () => {
    expect((await scrapeAll(azureDevops, spec({ projects: ['*'] }))).items).toHaveLength(4)
    forbidden = 'infra'
    const partly = await scrapeAll(azureDevops, spec({ projects: ['shop', 'infra', 'gone'] }))
    expect(partly.items).toHaveLength(2)
    expect(partly.errors.map(({ item, message }) => `${item}: ${message}`)).toEqual([
      'gone: there is no project "gone", or it may not be seen',
      expect.stringContaining('project infra: '),
    ])
    expect(partly.errors[1]!.message).toContain('TF401019')
    const refused = await scrapeAll(azureDevops, spec({ personalAccessToken: 'no' }))
    expect(refused.failure?.message).toBe('Azure DevOps does not accept the token')
    expect((await scrapeAll(azureDevops, { projects: ['x'] })).failure?.message).toContain('personalAccessToken')
  })
})

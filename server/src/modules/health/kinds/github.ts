import { GithubCheck } from '@quarterdeck/contract/checks/github'
import { type GithubApi as Api, githubApi, githubPages } from '../../../platform/clients/github.ts'
import { record, records } from '../../../platform/kubernetes/object.ts'
import type { CheckKind, CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { connectionOf, fillInQuery, resolveText } from './credentials.ts'
import { callJson, httpUrl } from '../../../platform/clients/http.ts'

/**
 * The query is one of three: a GraphQL document (`query { … }`), a REST path (`/repos/a/b/issues?state=open`), or a
 * select over the tables below with conditions joined by `and`.
 */
export const github: CheckKind<GithubCheck> = {
  key: 'github',
  schema: GithubCheck,
  templatable: true,
  endpoint: (spec) => spec.query.trim().replaceAll(/\s+/g, '-'),
  timeoutMs: () => 60_000,
  async run(run, spec) {
    const base = spec.connection ? await connectionOf(run, spec.connection) : undefined
    const token = (await resolveText(run, spec.githubToken)) ?? base?.password
    const api = githubApi(base?.url, token)
    const query = (await fillInQuery(run, spec.query)).trim()
    const rows = await answerTo(run, api, query)
    return { pass: true, detail: rows, message: `${rows.length} rows` }
  },
}

async function answerTo(run: CheckRun, api: Api, query: string): Promise<unknown[]> {
  if (query.startsWith('/')) return restRows(run, api, query)
  if (/^(query\b|\{)/i.test(query)) {
    const answer = record(
      await callJson(run, {
        url: httpUrl(`${api.root}/graphql`),
        method: 'POST',
        headers: api.headers,
        json: { query },
      }),
    )
    const [problem] = records(answer.errors)
    if (problem) throw new Error(`GraphQL: ${String(problem.message)}`)
    return [answer.data]
  }
  return selectRows(run, api, query)
}

const maxPages = 10

async function restRows(run: CheckRun, api: Api, path: string): Promise<unknown[]> {
  const rows: unknown[] = []
  let pages = 0
  for await (const body of githubPages(run, api, path)) {
    const items = Array.isArray(body) ? body : record(body).items
    if (!Array.isArray(items)) return [body]
    rows.push(...(items as unknown[]))
    if (++pages >= maxPages) break
  }
  return rows
}

/** Tables of a select and the REST path behind each; `:x` is taken from the conditions. */
const tables: Record<string, string> = {
  github_repos: '/users/:owner/repos',
  github_org_repos: '/orgs/:org/repos',
  github_repo_issues: '/repos/:owner/:repo/issues',
  github_repo_prs: '/repos/:owner/:repo/pulls',
  github_repo_commits: '/repos/:owner/:repo/commits',
  github_repo_branches: '/repos/:owner/:repo/branches',
  github_repo_releases: '/repos/:owner/:repo/releases',
  github_stargazers: '/repos/:owner/:repo/stargazers',
  github_repo_workflow_runs: '/repos/:owner/:repo/actions/runs',
}

async function selectRows(run: CheckRun, api: Api, query: string): Promise<unknown[]> {
  const found =
    /^select\s+(.+?)\s+from\s+(\w+)(?:\s*\(([^)]*)\))?(?:\s+where\s+(.+?))?(?:\s+limit\s+(\d+))?\s*;?$/is.exec(query)
  const path = found && tables[found[2]!.toLowerCase()]
  if (!found || !path)
    throw new InvalidCheck(
      `the query is no GraphQL, no REST path and no select over one of ${Object.keys(tables).join(', ')}`,
    )
  const [, columns = '*', table = '', args, where, limit] = found
  const wanted = { ...argumentsOf(path, args), ...conditionsOf(where) }
  const used = new Set<string>()
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = wanted[name]
    if (!value) throw new InvalidCheck(`${table} needs ${name} = '…'`)
    used.add(name)
    return encodeURIComponent(value)
  })
  const rest = new URLSearchParams({ per_page: '100' })
  for (const [name, value] of Object.entries(wanted)) if (!used.has(name)) rest.set(name, value)
  const rows = (await restRows(run, api, `${filled}?${rest.toString()}`)).map(record)
  const list = table.toLowerCase().endsWith('workflow_runs') ? rows.flatMap((row) => records(row.workflow_runs)) : rows
  const most = limit ? list.slice(0, Number(limit)) : list
  if (/^count\(\*\)/i.test(columns)) return [{ count: list.length }]
  const names = columns.split(',').map((name) => name.trim())
  return columns.trim() === '*' ? most : most.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))
}

/** `github_repo_issues('owner', 'repo')`: values in the order the path names them. */
function argumentsOf(path: string, args: string | undefined): Record<string, string> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const values = [...(args ?? '').matchAll(/'([^']*)'/g)].map(([, value]) => value!)
  // 'owner/repo' in one is how such tables are often called.
  const parts = values.length === 1 && names.length === 2 ? values[0]!.split('/') : values
  return Object.fromEntries(names.flatMap((name, at) => (parts[at] ? [[name, parts[at]]] : [])))
}

function conditionsOf(where: string | undefined): Record<string, string> {
  const conditions: Record<string, string> = {}
  for (const part of where?.split(/\s+and\s+/i) ?? []) {
    const found = /^\s*(\w+)\s*=\s*(?:'([^']*)'|(\w+))\s*$/.exec(part)
    if (!found) throw new InvalidCheck(`"${part.trim()}" is not a condition such as state = 'open'`)
    conditions[found[1]!.toLowerCase()] = (found[2] ?? found[3])!
  }
  return conditions
}

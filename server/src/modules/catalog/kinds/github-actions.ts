import { GithubActionsScraper } from '@quarterdeck/contract/scrapers/github-actions'
import { type GithubApi, githubApi, githubPages } from '../../../platform/clients/github.ts'
import { record, records, time, word } from '../../../platform/kubernetes/object.ts'
import { matchesList } from '../../../platform/selectors/match-list.ts'
import type { ScrapedChange, ScrapedItem, ScraperKind, ScrapeRun } from './kind.ts'
import { targetOf, textOf } from './support.ts'

const pageSize = 100
/** GitHub lists no more than a thousand runs. */
const mostPages = 10
const maxAnswer = 64 * 1024 * 1024

type Raw = Record<string, unknown>
/** By workflow: when the newest change of a run was that has been stored. */
type Kept = Record<string, string>

/** Each workflow is an item, each of its runs a change of it. */
export const githubActions: ScraperKind<GithubActionsScraper> = {
  key: 'githubActions',
  schema: GithubActionsScraper,
  concurrency: 5,
  async *scrape(run, spec) {
    const target = spec.connection ? await targetOf(run, { connection: spec.connection }) : undefined
    const token = (await textOf(run, spec.personalAccessToken)) ?? (target?.password || undefined)
    const api = githubApi(target?.url || undefined, token)
    const repository = `/repos/${encodeURIComponent(spec.owner)}/${encodeURIComponent(spec.repository)}`
    const before = (await run.state.get<Kept>()) ?? {}
    const after: Kept = {}
    for await (const page of githubPages(run, api, `${repository}/actions/workflows?per_page=${pageSize}`, maxAnswer)) {
      for (const workflow of records(record(page).workflows)) {
        if (!matchesList(spec.workflows, word(workflow.name))) continue
        const key = String(workflow.id as number)
        try {
          const runs = await runsOf(run, api, `${repository}/actions/workflows/${key}`, before[key])
          after[key] = newest(runs.list) ?? before[key] ?? ''
          yield { item: itemOf(spec, workflow, runs.list[0], changesOf(runs.list, before[key])) }
        } catch (error) {
          run.signal.throwIfAborted()
          if (before[key]) after[key] = before[key]
          yield { error: { message: (error as Error).message, item: `workflow ${word(workflow.name)}` } }
        }
      }
    }
    run.state.set(after)
  },
}

/** The newest runs, and older ones until those that are stored already. */
async function runsOf(
  run: ScrapeRun,
  api: GithubApi,
  path: string,
  since: string | undefined,
): Promise<{ list: Raw[] }> {
  const list: Raw[] = []
  let pages = 0
  for await (const page of githubPages(run, api, `${path}/runs?per_page=${pageSize}`, maxAnswer)) {
    const runs = records(record(page).workflow_runs)
    list.push(...runs)
    if (++pages >= mostPages || (since && runs.every((each) => word(each.updated_at) <= since))) break
  }
  return { list }
}

const newest = (runs: readonly Raw[]): string | undefined =>
  runs
    .map((each) => word(each.updated_at))
    .sort()
    .at(-1)

/** Runs that something happened to since the last scrape; those beyond the newest hundred go by another name. */
function changesOf(runs: readonly Raw[], since = ''): Omit<ScrapedChange, 'item'>[] {
  return runs
    .map((each, place) => ({ each, changeType: place < pageSize ? 'GithubAction' : 'GithubWorkflowRun' }))
    .filter(({ each }) => word(each.updated_at) >= since)
    .map(({ each, changeType }) => {
      const { repository: _, head_repository: __, ...details } = each
      const outcome = word(each.conclusion) || word(each.status)
      const title = word(each.display_title) || word(each.name)
      return {
        changeType,
        externalChangeId: `github/${String(each.id as number)}`,
        // A run changes until it is done.
        updateExisting: true,
        severity: word(each.conclusion) || undefined,
        summary: `${title} #${String(each.run_number as number)} ${outcome}`,
        source: word(each.html_url),
        createdBy: word(record(each.triggering_actor).login) || word(record(each.actor).login) || undefined,
        createdAt: new Date(time(each.created_at) ?? Date.now()),
        details,
      }
    })
}

const health: Record<string, string> = {
  success: 'healthy',
  failure: 'unhealthy',
  timed_out: 'unhealthy',
  startup_failure: 'unhealthy',
  cancelled: 'warning',
  action_required: 'warning',
}

function itemOf(
  { owner, repository }: GithubActionsScraper,
  workflow: Raw,
  last: Raw | undefined,
  changes: ScrapedItem['changes'],
): ScrapedItem {
  const outcome = word(last?.conclusion) || word(last?.status)
  const created = time(workflow.created_at)
  return {
    id: `${owner}/${repository}/${String(workflow.id as number)}`,
    type: 'GitHubActions::WorkflowRun',
    configClass: 'Deployment',
    name: word(workflow.name),
    status: outcome ? outcome.replaceAll('_', ' ') : word(workflow.state),
    health: health[outcome] ?? 'unknown',
    source: word(workflow.html_url),
    tags: { owner, repository },
    createdAt: created === undefined ? undefined : new Date(created),
    deletedAt: workflow.deleted_at ? new Date(time(workflow.deleted_at) ?? Date.now()) : undefined,
    config: workflow,
    changes,
  }
}

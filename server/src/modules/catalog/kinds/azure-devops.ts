import { AzureDevopsScraper } from '@quarterdeck/contract/scrapers/azure-devops'
import type { z } from 'zod'
import { type AzureDevopsApi, azureDevopsApi, azureDevopsList } from '../../../platform/clients/azure-devops.ts'
import { ExpressionError } from '../../../platform/expressions/errors.ts'
import { sharedExpressions } from '../../../platform/expressions/expressions.ts'
import { record, time, word } from '../../../platform/kubernetes/object.ts'
import { matchesList } from '../../../platform/selectors/match-list.ts'
import {
  InvalidScraper,
  type KindSpec,
  type ScrapedChange,
  type ScrapedItem,
  type ScraperKind,
  type ScrapeRun,
} from './kind.ts'
import { targetOf, textOf } from './support.ts'

type Raw = Record<string, unknown>
/** In this kind `id` is an expression over the pipeline, not a place in the document; extraction must not see it. */
type Spec = AzureDevopsScraper & KindSpec & { idExpression?: string }

const schema = AzureDevopsScraper.transform((spec): Spec => ({ ...spec, id: undefined, idExpression: spec.id }))

/** Each pipeline is an item (or several, when the id depends on the run), each of its runs a change. */
export const azureDevops: ScraperKind<Spec> = {
  key: 'azureDevops',
  schema: schema as unknown as z.ZodType<Spec>,
  concurrency: 5,
  async *scrape(run, spec) {
    const { api, organization } = await accessOf(run, spec)
    const before = (await run.state.get<{ until?: string }>())?.until ?? ''
    run.state.set({ until: run.startedAt.toISOString() })
    const projects = (await azureDevopsList(run, api, '/_apis/projects?$top=1000')).filter((project) =>
      matchesList(spec.projects, word(project.name)),
    )
    for (const wanted of spec.projects) {
      if (!wanted.startsWith('!') && !projects.some((project) => matchesList([wanted], word(project.name))))
        yield { error: { message: `there is no project "${wanted}", or it may not be seen`, item: wanted } }
    }
    for (const project of projects) {
      const path = `/${encodeURIComponent(word(project.name))}/_apis/pipelines`
      try {
        for (const pipeline of await azureDevopsList(run, api, path)) {
          if (!matchesList(spec.pipelines, word(pipeline.name))) continue
          const runs = await azureDevopsList(run, api, `${path}/${Number(pipeline.id)}/runs`)
          for (const item of await itemsOf(spec, { organization, project, pipeline, runs, before })) yield { item }
        }
      } catch (error) {
        run.signal.throwIfAborted()
        if (error instanceof InvalidScraper) throw error
        yield { error: { message: (error as Error).message, item: `project ${word(project.name)}` } }
      }
    }
  },
}

async function accessOf(run: ScrapeRun, spec: Spec): Promise<{ api: AzureDevopsApi; organization: string }> {
  const target = spec.connection ? await targetOf(run, { connection: spec.connection }) : undefined
  const token = (await textOf(run, spec.personalAccessToken)) ?? target?.password
  const organization = spec.organization ?? target?.username
  if (!organization || !token)
    throw new InvalidScraper('organization and personalAccessToken are needed, here or in the connection')
  return { api: azureDevopsApi(run, { url: target?.url || undefined, organization, token }), organization }
}

interface Found {
  organization: string
  project: Raw
  pipeline: Raw
  /** Newest first. */
  runs: Raw[]
  /** What was done by then is stored already. */
  before: string
}

async function itemsOf(spec: Spec, found: Found): Promise<ScrapedItem[]> {
  const { organization, project, pipeline, runs, before } = found
  const groups = new Map<string, Raw[]>()
  for (const each of runs) {
    const id = await idOf(spec, { organization, project, pipeline: { ...pipeline, ...parametersOf(each) } })
    const group = groups.get(id)
    if (group) group.push(each)
    else groups.set(id, [each])
  }
  if (groups.size === 0) groups.set(await idOf(spec, { organization, project, pipeline }), [])
  return [...groups].map(([id, list]): ScrapedItem => {
    const last = list[0]
    const outcome = word(last?.result) || word(last?.state)
    const config = last ? { ...pipeline, ...parametersOf(last) } : pipeline
    return {
      id,
      type: 'AzureDevops::PipelineRun',
      configClass: 'Deployment',
      name: word(pipeline.name),
      status: outcome || 'never run',
      health: health[outcome] ?? 'unknown',
      source: word(record(record(pipeline._links).web).href) || word(pipeline.url),
      tags: { organization, project: word(project.name) },
      config,
      changes: list.filter((each) => isNews(each, before)).map((each) => changeOf(each, project, pipeline)),
    }
  })
}

const health: Record<string, string> = { succeeded: 'healthy', failed: 'unhealthy', canceled: 'warning' }

/** What a run was started with; secret variables come without their value. */
const parametersOf = (run: Raw): Raw => {
  const { templateParameters, variables } = run
  return { ...(templateParameters ? { templateParameters } : {}), ...(variables ? { variables } : {}) }
}

async function idOf(
  { idExpression }: Spec,
  env: { organization: string; project: Raw; pipeline: Raw },
): Promise<string> {
  if (!idExpression) return `${env.organization}/${word(env.project.name)}/${Number(env.pipeline.id)}`
  try {
    const { text } = await sharedExpressions().evaluate({ expr: idExpression }, env)
    if (text.trim() !== '') return text.trim()
    throw new InvalidScraper(`id: the expression gave nothing for the pipeline ${word(env.pipeline.name)}`)
  } catch (error) {
    throw error instanceof ExpressionError ? new InvalidScraper(`id: ${error.message}`) : error
  }
}

const isNews = (run: Raw, before: string): boolean =>
  before === '' || run.state !== 'completed' || (time(run.finishedDate) ?? 0) >= Date.parse(before) - 60_000

function changeOf(run: Raw, project: Raw, pipeline: Raw): Omit<ScrapedChange, 'item'> {
  const outcome = word(run.result) || word(run.state)
  return {
    changeType: 'Deployment',
    externalChangeId: `${word(project.id) || word(project.name)}/${Number(pipeline.id)}/${Number(run.id)}`,
    updateExisting: true,
    severity: run.state === 'completed' && run.result !== 'succeeded' ? 'failed' : 'info',
    summary: `${word(run.name)} ${outcome}`,
    source: word(record(record(run._links).web).href) || word(run.url),
    createdAt: new Date(time(run.createdDate) ?? Date.now()),
    details: run,
  }
}

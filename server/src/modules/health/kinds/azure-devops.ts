import { AzureDevopsCheck } from '@quarterdeck/contract/checks/azure-devops'
import { azureDevopsApi, azureDevopsList } from '../../../platform/clients/azure-devops.ts'
import { record, word } from '../../../platform/kubernetes/object.ts'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { connectionOf, resolveText } from './credentials.ts'
import { globPattern, patternOf } from './support.ts'

export const azureDevops: CheckKind<AzureDevopsCheck> = {
  key: 'azureDevops',
  type: 'azuredevops',
  schema: AzureDevopsCheck,
  templatable: true,
  endpoint: (spec) => `${spec.project}/${spec.pipeline}`,
  timeoutMs: () => 60_000,
  async run(run, spec) {
    const base = spec.connection ? await connectionOf(run, spec.connection) : undefined
    const token = (await resolveText(run, spec.personalAccessToken)) ?? base?.password
    const organization = spec.organization ?? base?.username
    if (!organization || !token)
      throw new InvalidCheck('organization and personalAccessToken are needed, here or in the connection')
    const api = azureDevopsApi(run, { url: base?.url, organization, token })
    const path = `/${encodeURIComponent(spec.project)}/_apis/pipelines`
    const pattern = patternOf(spec.pipeline, 'pipeline')
    const pipelines = (await azureDevopsList(run, api, path)).filter((each) => pattern.test(word(each.name)))
    const errors: string[] = []
    const latest: Record<string, unknown>[] = []
    for (const pipeline of pipelines) {
      const runs = await azureDevopsList(run, api, `${path}/${Number(pipeline.id)}/runs`)
      const found = runs.find((each) => each.state === 'completed' && fits(each, spec))
      if (!found) continue
      latest.push({ pipeline: word(pipeline.name), ...found })
      const took = Date.parse(word(found.finishedDate)) - Date.parse(word(found.createdDate))
      if (found.result !== 'succeeded')
        errors.push(
          `${word(pipeline.name)}: the latest run ${word(found.name)} ${word(found.result) || 'did not succeed'}`,
        )
      else if (spec.thresholdMillis && took > spec.thresholdMillis)
        errors.push(`${word(pipeline.name)}: the latest run took ${took} ms, more than ${spec.thresholdMillis} ms`)
    }
    return { pass: errors.length === 0, errors, detail: latest, message: `${latest.length} runs` }
  },
}

function fits(found: Record<string, unknown>, spec: AzureDevopsCheck): boolean {
  const variables = record(found.variables)
  const same = Object.entries(spec.variables ?? {}).every(([name, value]) => record(variables[name]).value === value)
  const repositories = record(record(found.resources).repositories)
  const branch = word(record(repositories.self).refName).replace(/^refs\/heads\//, '')
  return same && (!spec.branch?.length || spec.branch.some((each) => globPattern(each).test(branch)))
}

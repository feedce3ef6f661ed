import { ElasticsearchCheck } from '@quarterdeck/contract/checks/elasticsearch'
import { OpensearchCheck } from '@quarterdeck/contract/checks/opensearch'
import { record } from '../../../platform/kubernetes/object.ts'
import type { CheckKind, CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { fillIn, fillInQuery, targetOf } from './credentials.ts'
import { basicAuth, callJson, httpUrl } from '../../../platform/clients/http.ts'

async function search(
  run: CheckRun,
  spec: ElasticsearchCheck,
): Promise<{ answer: Record<string, unknown>; total: number }> {
  const target = await targetOf(run, spec)
  const url = httpUrl(await fillIn(run, target.url ?? ''))
  const query = await fillInQuery(run, spec.query ?? '')
  if (query) {
    try {
      JSON.parse(query)
    } catch (error) {
      throw new InvalidCheck(`query is not JSON: ${(error as Error).message}`)
    }
  }
  const username = target.username ?? decodeURIComponent(url.username)
  const password = target.password ?? decodeURIComponent(url.password)
  url.username = url.password = ''
  const index = spec.index ?? target.properties.index
  url.pathname = `${url.pathname.replace(/\/$/, '')}${index ? `/${index.split(',').map(encodeURIComponent).join(',')}` : ''}/_search`
  if (username) run.secret(`${username}:${password}`)
  const answer = await callJson(run, {
    url,
    method: 'POST',
    tls: target.insecureTls ? { rejectUnauthorized: false } : undefined,
    headers: {
      'content-type': 'application/json',
      ...(username ? { authorization: basicAuth(username, password) } : {}),
    },
    body: query || '{}',
  })
  const hits = record(record(answer).hits)
  // Servers before version 7 give the number itself.
  const total = typeof hits.total === 'number' ? hits.total : Number(record(hits.total).value)
  if (!Number.isFinite(total)) throw new Error('the answer has no hits.total')
  return { answer: record(answer), total }
}

const searchKind = (
  key: string,
  schema: typeof ElasticsearchCheck,
  detailOf: (found: { answer: Record<string, unknown>; total: number }) => unknown,
): CheckKind<ElasticsearchCheck> => ({
  key,
  schema,
  templatable: true,
  endpoint: (spec) => spec.url ?? spec.connection ?? '',
  async run(run, spec) {
    const found = await search(run, spec)
    if (found.total !== spec.results)
      return { pass: false, errors: [`${found.total} hits, expected exactly ${spec.results}`] }
    return { pass: true, message: `${found.total} hits`, detail: detailOf(found) }
  },
})

export const elasticsearch = searchKind('elasticsearch', ElasticsearchCheck, ({ answer }) => answer)
export const opensearch = searchKind('opensearch', OpensearchCheck as typeof ElasticsearchCheck, ({ total }) => total)

import { record, records } from '../kubernetes/object.ts'
import { bare, basicAuth, exchange, httpUrl, maxBody, userAgent } from './http.ts'
import type { ClientRun } from './run.ts'

export interface AzureDevopsApi {
  /** With the organization. */
  root: string
  headers: Record<string, string>
}

/** One organization of Azure DevOps, or of a server of one's own. */
export function azureDevopsApi(
  run: Pick<ClientRun, 'secret'>,
  { url, organization, token }: { url?: string; organization: string; token: string },
): AzureDevopsApi {
  run.secret(token)
  run.secret(`:${token}`)
  const root = `${(url || 'https://dev.azure.com').replace(/\/$/, '')}/${encodeURIComponent(organization)}`
  return { root, headers: { authorization: basicAuth('', token), accept: 'application/json', 'user-agent': userAgent } }
}

/** All of a list, page by page. `path` is below the organization and may have a query. */
export async function azureDevopsList(
  run: Pick<ClientRun, 'ctx' | 'signal'>,
  api: AzureDevopsApi,
  path: string,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  let token: string | undefined
  do {
    const url = httpUrl(api.root + path)
    url.searchParams.set('api-version', '7.1')
    if (token) url.searchParams.set('continuationToken', token)
    const answer = await exchange(run, { url, headers: api.headers })
    const text = answer.body.toString('utf8')
    // Instead of 401 it shows its sign-in page, with a code that means success.
    if (answer.code === 203 || answer.code === 401) throw new Error('Azure DevOps does not accept the token')
    if (answer.code > 299) throw new Error(`${bare(answer.url)} answered ${answer.code}${wordsOf(text)}`)
    if (answer.truncated) throw new Error(`${bare(answer.url)}: the answer is larger than ${maxBody / 1024 / 1024} MB`)
    found.push(...records(record(JSON.parse(text)).value))
    const next = answer.headers['x-ms-continuationtoken']
    token = (Array.isArray(next) ? next[0] : next) || undefined
  } while (token)
  return found
}

function wordsOf(text: string): string {
  try {
    const { message } = record(JSON.parse(text))
    return typeof message === 'string' ? `: ${message.slice(0, 500)}` : ''
  } catch {
    return ''
  }
}

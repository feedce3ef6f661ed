import { bare, exchange, httpUrl, userAgent } from '../clients/http.ts'
import { clientToken } from '../clients/oauth2.ts'
import type { ClientRun } from '../clients/run.ts'
import { record, records, word } from '../kubernetes/object.ts'

export interface AzureAccess {
  tenant: string
  clientId: string
  clientSecret: string
  /** Of the resource manager; other clouds have others. */
  endpoint?: string
  loginEndpoint?: string
}

const maxBytes = 64 * 1024 * 1024
const mostPages = 1_000

const managerOf = ({ endpoint }: AzureAccess): string => (endpoint || 'https://management.azure.com').replace(/\/$/, '')

async function tokenOf(run: ClientRun, access: AzureAccess): Promise<string> {
  const { tenant, clientId, clientSecret, loginEndpoint } = access
  const login = (loginEndpoint || 'https://login.microsoftonline.com').replace(/\/$/, '')
  return clientToken(run, {
    tokenURL: `${login}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    scope: [`${managerOf(access)}/.default`],
    params: { client_id: clientId, client_secret: clientSecret },
  })
}

/** One call of the resource manager; refusals in its own words. */
export async function azureGet(run: ClientRun, access: AzureAccess, path: string): Promise<Record<string, unknown>> {
  const root = managerOf(access)
  const url = httpUrl(path.startsWith('http') ? path : root + path)
  // A link to the next page must not lead the token elsewhere.
  if (url.origin !== new URL(root).origin) throw new Error(`Azure leads to ${url.host}, which is not its address`)
  const headers = {
    authorization: `Bearer ${await tokenOf(run, access)}`,
    accept: 'application/json',
    'user-agent': userAgent,
  }
  const answer = await exchange(run, { url, headers, maxBytes })
  const body = bodyOf(answer.body.toString('utf8'))
  if (answer.code > 299) {
    const { code, message } = record(body.error)
    const words = [word(code), word(message)].filter(Boolean).join(': ')
    throw new Error(`${bare(answer.url)} answered ${answer.code}${words ? `: ${words.slice(0, 500)}` : ''}`)
  }
  return body
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text))
  } catch {
    return {}
  }
}

/** All of a list, page by page. */
export async function* azureList(
  run: ClientRun,
  access: AzureAccess,
  path: string,
): AsyncGenerator<Record<string, unknown>> {
  let next: string | undefined = path
  for (let pages = 0; next; pages++) {
    if (pages >= mostPages) throw new Error(`Azure gave more than ${mostPages} pages`)
    const page: Record<string, unknown> = await azureGet(run, access, next)
    yield* records(page.value)
    next = word(page.nextLink) || undefined
  }
}

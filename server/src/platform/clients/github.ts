import { record } from '../kubernetes/object.ts'
import { exchange, httpUrl, userAgent } from './http.ts'
import type { ClientRun } from './run.ts'

export interface GithubApi {
  root: string
  headers: Record<string, string>
}

/** GitHub, or a server that speaks like it. */
export function githubApi(url: string | undefined, token: string | undefined): GithubApi {
  const headers: Record<string, string> = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }
  if (token) headers.authorization = `Bearer ${token}`
  return { root: (url || 'https://api.github.com').replace(/\/$/, ''), headers }
}

type Run = Pick<ClientRun, 'ctx' | 'signal'>

/** The bodies of an answer, page by page, as its links lead; only to the same server, as the token is for nobody else. */
export async function* githubPages(run: Run, api: GithubApi, path: string, maxBytes?: number): AsyncGenerator<unknown> {
  let next: URL | undefined = httpUrl(api.root + path)
  while (next) {
    const answer = await exchange(run, { url: next, headers: { 'user-agent': userAgent, ...api.headers }, maxBytes })
    const text = answer.body.toString('utf8')
    if (answer.truncated) throw new Error('the answer of GitHub is too large')
    const body = bodyOf(text)
    if (answer.code > 299) throw new Error(refusal(answer.code, record(body).message, answer.headers))
    if (body === undefined) throw new Error('the answer of GitHub is not JSON')
    yield body
    const link = /<([^>]+)>;\s*rel="next"/.exec(String(answer.headers.link ?? ''))?.[1]
    const following: URL | undefined = link ? httpUrl(link) : undefined
    next = following?.origin === next.origin ? following : undefined
  }
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text || 'null')
  } catch {
    return undefined
  }
}

function refusal(code: number, message: unknown, headers: Record<string, string | string[] | undefined>): string {
  const words = `GitHub answered ${code}${typeof message === 'string' && message ? `: ${message}` : ''}`
  if (headers['x-ratelimit-remaining'] !== '0') return words
  const reset = Number(headers['x-ratelimit-reset'])
  return Number.isFinite(reset) ? `${words} (until ${new Date(reset * 1000).toISOString()})` : words
}

import type { TlsOptions } from '../network/dialer.ts'
import type { ClientRun } from './run.ts'
import { basicAuth, callJson, httpUrl } from './http.ts'

export interface ClientCredentials {
  tokenURL?: string
  scope?: readonly string[]
  params?: Record<string, string>
  username?: string
  password?: string
  tls?: TlsOptions
}

const kept = new Map<string, { until: number; token: Promise<string> }>()
const defaultLifeMs = 5 * 60_000

/** An access token by client credentials, asked for once and kept until shortly before it ends. */
export async function clientToken(run: ClientRun, credentials: ClientCredentials): Promise<string> {
  const key = JSON.stringify(credentials)
  const known = kept.get(key)
  if (known && known.until > Date.now()) return remembered(run, await known.token)
  if (kept.size > 1000) kept.clear()
  const entry = { until: Date.now() + defaultLifeMs, token: Promise.resolve('') }
  entry.token = ask(run, credentials).then(({ token, lifeMs }) => {
    entry.until = Date.now() + lifeMs * 0.9
    return token
  })
  entry.token.catch(() => kept.delete(key))
  kept.set(key, entry)
  return remembered(run, await entry.token)
}

function remembered(run: ClientRun, token: string): string {
  run.secret(token)
  return token
}

async function ask(run: ClientRun, { tokenURL, scope, params, username, password, tls }: ClientCredentials) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...params })
  if (scope?.length) body.set('scope', scope.join(' '))
  const answer = (await callJson(run, {
    url: httpUrl(tokenURL, 'oauth2.tokenURL'),
    method: 'POST',
    tls,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(username ? { authorization: basicAuth(username, password ?? '') } : {}),
    },
    body: body.toString(),
  })) as { access_token?: unknown; expires_in?: unknown }
  if (typeof answer.access_token !== 'string' || answer.access_token === '')
    throw new Error('the token endpoint gave no access_token')
  const seconds = Number(answer.expires_in)
  return {
    token: answer.access_token,
    lifeMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : defaultLifeMs,
  }
}

import { importPKCS8, SignJWT } from 'jose'
import { record, word } from '../kubernetes/object.ts'
import { type ClientRun, InvalidTarget } from '../clients/run.ts'
import { callJson, httpUrl } from '../clients/http.ts'

const kept = new Map<string, { until: number; token: string }>()

/** Authorization for Google's APIs from the JSON key of a service account; nothing without one. */
export async function googleHeaders(
  run: ClientRun,
  credentials: string | undefined,
  scope: string,
): Promise<Record<string, string>> {
  if (!credentials) return {}
  const cacheKey = `${scope} ${credentials}`
  const known = kept.get(cacheKey)
  const entry = known && known.until > Date.now() ? known : await ask(run, credentials, scope)
  if (kept.size > 500) kept.clear()
  kept.set(cacheKey, entry)
  run.secret(entry.token)
  return { authorization: `Bearer ${entry.token}` }
}

async function ask(run: ClientRun, credentials: string, scope: string) {
  let account: Record<string, unknown>
  try {
    account = record(JSON.parse(credentials))
  } catch {
    throw new InvalidTarget('the Google credentials are not JSON')
  }
  const [email, pem] = [word(account.client_email), word(account.private_key)]
  if (!email || !pem) throw new InvalidTarget('the Google credentials are not those of a service account')
  run.secret(pem)
  const tokenUrl = word(account.token_uri) || 'https://oauth2.googleapis.com/token'
  const key = await importPKCS8(pem, 'RS256').catch(() => {
    throw new InvalidTarget('the private key of the Google credentials cannot be read')
  })
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key)
  const answer = record(
    await callJson(run, {
      url: httpUrl(tokenUrl, 'token_uri'),
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    }),
  )
  const token = word(answer.access_token)
  if (!token) throw new Error('Google gave no access token')
  return { token, until: Date.now() + Number(answer.expires_in || 3600) * 900 }
}

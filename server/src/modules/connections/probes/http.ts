import { exchange, userAgent } from '../../../platform/clients/http.ts'
import { basic, type Probe, refusal, tlsOf, under } from './probe.ts'

export const http: Probe = async (run, target) => {
  const { url, who } = under(target, '')
  const request = { url, method: 'GET', tls: tlsOf(target), fresh: true, maxBytes: 64 * 1024 }
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': userAgent }
  const { ntlm, ntlmv2, bearer } = target.properties
  if (ntlm === 'true' || ntlmv2 === 'true') {
    const { exchangeNtlm } = await import('../../../platform/clients/ntlm-exchange.ts')
    const account = { username: who.username ?? '', password: who.password ?? '' }
    return good(await exchangeNtlm(run, { ...request, headers }, account))
  }
  const authorization = bearer ? { authorization: `Bearer ${bearer}` } : basic(run, who)
  good(await exchange(run, { ...request, headers: { ...headers, ...authorization } }))
}

function good(answer: Parameters<typeof refusal>[0]) {
  if (answer.code < 200 || answer.code > 299) throw refusal(answer)
}

import { userAgent } from '../../../platform/clients/http.ts'
import { exchangeNtlm } from '../../../platform/clients/ntlm-exchange.ts'
import { need, type Probe, refusal, tlsOf, under } from './probe.ts'

const identify = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:i="http://schemas.dmtf.org/wbem/wsman/identity/1/wsmanidentity.xsd"><s:Header/><s:Body><i:Identify/></s:Body></s:Envelope>`

/** Windows Remote Management says who it is to those it knows. */
export const windows: Probe = async (run, target) => {
  const given = need(target.url, 'the host').replace(/\/+$/, '')
  const address = /^https?:\/\//.test(given) ? given : `http://${/:\d+$/.test(given) ? given : `${given}:5985`}`
  const { url } = under({ ...target, url: address.endsWith('/wsman') ? address : `${address}/wsman` }, '')
  const { domain } = target.properties
  const user = need(target.username, 'the username')
  const username = domain && !/[\\@]/.test(user) ? `${domain}\\${user}` : user
  const headers = { 'content-type': 'application/soap+xml;charset=UTF-8', 'user-agent': userAgent }
  const request = { url, method: 'POST', headers, body: identify, tls: tlsOf(target) }
  const answer = await exchangeNtlm(run, request, { username, password: need(target.password, 'the password') })
  if (answer.code === 401) throw new Error(`${url.host} refused the username or password`)
  if (answer.code !== 200) throw refusal(answer)
  if (!answer.body.includes('IdentifyResponse')) throw new Error(`${url.host} is not Windows Remote Management`)
}

import { record, word } from '../../../platform/kubernetes/object.ts'
import { askGood, need, type Probe, tlsOf } from './probe.ts'

/** The address of the connection, when there is one, is that of another cloud's sign-in service. */
export const azure: Probe = async (run, target) => {
  const login = (target.url || 'https://login.microsoftonline.com').replace(/\/+$/, '')
  const tenant = need(target.properties.tenant || target.properties.tenantID, 'the tenant')
  const answer = await askGood(run, {
    url: `${login}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    tls: tlsOf(target),
    form: {
      grant_type: 'client_credentials',
      client_id: need(target.username, 'the client id'),
      client_secret: need(target.password, 'the client secret'),
      scope: 'https://graph.microsoft.com/.default',
    },
  })
  const token = word(record(answer).access_token)
  if (!token) throw new Error('the answer holds no token')
  run.secret(token)
}

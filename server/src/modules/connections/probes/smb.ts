import { withSmb } from '../../../platform/clients/smb.ts'
import { need, type Probe } from './probe.ts'

export const smb: Probe = async (run, { url, username, password, properties }) => {
  const [host = '', ...rest] = need(url, 'the server')
    .replace(/^smb:\/\/(?:[^@/]*@)?|^\\\\/, '')
    .split(/[\\/]/)
  const [name = '', port] = host.split(':')
  const share = properties.share || properties.sharename || rest[0]
  const to = {
    host: name,
    share: need(share, 'the share'),
    port: Number(port || properties.port || 445),
    domain: properties.domain,
    username,
    password,
  }
  await withSmb(run, to, (client) => client.readdir('', { stats: true }))
}

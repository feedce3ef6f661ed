import { need, type Probe } from './probe.ts'
import { askOptions } from './webhook.ts'

/** Settings of the channel that travel in its address and are not for the hook. */
const settings = new Set(['contenttype', 'messagekey', 'titlekey', 'requestmethod', 'disabletls', 'template'])

export const genericWebhook: Probe = async (run, target) => {
  const stored = need(target.url || target.username, 'the address').replace(/^generic(\+|:\/\/)/, '')
  const address = /^https?:\/\//.test(stored) ? stored : `https://${stored}`
  const [path = '', query = ''] = address.split(/\?(.*)/s)
  const kept = query.split('&').filter((pair) => pair && !settings.has(pair.split('=')[0]!.toLowerCase()))
  await askOptions(run, target, kept.length > 0 ? `${path}?${kept.join('&')}` : path)
}

import { stringify } from 'yaml'

export interface KubeconfigParts {
  /** `https://host/api` or wherever the API answers. */
  api: string
  token: string
}

/** The first label of the host, which names the file and the cluster. */
export function tenantOf(api: string): string {
  const { hostname } = new URL(api)
  const label = /^[\d.]+$|:/.test(hostname) ? hostname : (hostname.split('.')[0] ?? hostname)
  return (
    label
      .replace(/[^a-z0-9-]+/gi, '-')
      .replace(/^-+|-+$/g, '')
      .toLowerCase() || 'quarterdeck'
  )
}

/** A kubeconfig that reaches clusters through this server, signed in with an access token. */
export function kubeconfig({ api, token }: KubeconfigParts): string {
  const name = `mission-control-${tenantOf(api)}`
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: `${api}/kubeproxy` } }],
    users: [{ name, user: { username: 'token', password: token } }],
    contexts: [{ name: 'default', context: { cluster: name, user: name } }],
    'current-context': 'default',
  })
}

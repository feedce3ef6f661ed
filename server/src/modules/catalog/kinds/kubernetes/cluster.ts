import type { SecretText } from '@quarterdeck/contract/checks/common'
import { type ApiResource, type Cluster, clusterFor, KubernetesError } from '../../../../platform/kubernetes/client.ts'
import { resolveConnection } from '../../../../platform/resolve/connections.ts'
import { ResolveError } from '../../../../platform/resolve/reference.ts'
import { resolveValue } from '../../../../platform/resolve/resolve.ts'
import { InvalidScraper, type ScrapeRun } from '../kind.ts'

interface ClusterSpec {
  kubeconfig?: SecretText
  connection?: string
}

/** The cluster a scraper reads: its kubeconfig, its connection, or the one this server runs in. */
export async function clusterOf(run: ScrapeRun, spec: ClusterSpec): Promise<Cluster> {
  let cluster: Cluster
  try {
    cluster = await clusterFor(run.ctx, await kubeconfigOf(run, spec))
  } catch (error) {
    throw new InvalidScraper((error as Error).message)
  }
  const { token, basic, tls } = cluster.address
  for (const secret of [token, basic?.password, tls?.key]) if (secret) run.secret(secret)
  return cluster
}

/**
 * Its text, or a path to it. Not the whole of it is a secret: lines such as `apiVersion: v1` stand in many documents and
 * would be blanked there, so only what signs in is kept out of what is stored.
 */
export async function kubeconfigOf(
  run: ScrapeRun,
  { kubeconfig, connection }: ClusterSpec,
): Promise<string | undefined> {
  const options = { namespace: run.namespace, signal: run.signal, usedBy: `scraper ${run.name}` }
  try {
    const given = await resolveValue(run.ctx, kubeconfig, options)
    if (given || !connection) return given
    const { certificate } = await resolveConnection(run.ctx, connection, options)
    if (!certificate) throw new InvalidScraper('the connection holds no kubeconfig')
    return certificate
  } catch (error) {
    throw error instanceof ResolveError ? new InvalidScraper(error.message) : error
  }
}

/** `Secret`, or `Widget (example.com/v1)`. */
export const shownKind = ({ kind, base }: ApiResource): string =>
  base === '/api/v1' ? kind : `${kind} (${base.replace(/^\/apis\//, '')})`

export const statusOf = (error: unknown): number => (error instanceof KubernetesError ? error.status : 0)

import { clusterFor } from '../../../platform/kubernetes/client.ts'
import type { Probe } from './probe.ts'

export const kubernetes: Probe = async (run, { certificate }) => {
  const cluster = await clusterFor(run.ctx, certificate)
  await cluster.request('GET', '/api/v1/namespaces/default/pods?limit=1', undefined, { signal: run.signal })
}

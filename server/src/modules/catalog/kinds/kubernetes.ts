import { KubernetesScraper } from '@quarterdeck/contract/scrapers/kubernetes'
import type { ScraperKind } from './kind.ts'
import { clusterOf } from './kubernetes/cluster.ts'
import { ClusterScrape } from './kubernetes/scrape-cluster.ts'
import { watchCluster } from './kubernetes/watch-cluster.ts'

/** The objects of a cluster, its events as changes of them, and how they belong together. */
export const kubernetes: ScraperKind<KubernetesScraper> = {
  key: 'kubernetes',
  schema: KubernetesScraper,
  concurrency: 3,
  async *scrape(run, spec) {
    yield* new ClusterScrape(run, await clusterOf(run, spec), spec).all()
  },
  watch: (run, spec) => (spec.watch?.length === 0 ? undefined : watchCluster(run, spec)),
}

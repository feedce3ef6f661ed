import { ErrorPanel } from '@/ui/error-panel.tsx'
import { Skeleton } from '@/ui/skeleton.tsx'
import type { CheckGraph } from './check.queries.ts'
import { StatusStrip } from './status-strip.tsx'

/** State and duration of a check over time. */
export function HealthOverview({ graph, error }: { graph: CheckGraph | undefined; error: unknown }) {
  if (error && !graph) return <ErrorPanel error={error} />
  if (!graph) return <Skeleton className="h-24" />
  return <StatusStrip points={graph.status ?? []} />
}

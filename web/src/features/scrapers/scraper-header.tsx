import { queryOptions, useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useCan } from '@/api/access.tsx'
import { from } from '@/api/data-api.ts'
import { JobStatus } from '@/entities/job-history/job-status.tsx'
import { agentIdOf } from '@/entities/people.ts'
import { kindLabels } from '@/entities/scraper/scraper-form.ts'
import { useRunScraper } from '@/entities/scraper/scraper.queries.ts'
import type { ResourceRow } from '@/entities/settings-resource/resource-kind.ts'
import { isObject } from '@/lib/is-object.ts'
import { Age } from '@/ui/age.tsx'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const scraperStateQuery = (id: string) =>
  queryOptions({
    queryKey: ['resources', 'config_scrapers', 'state', id],
    queryFn: ({ signal }) =>
      from<ResourceRow>('config_scrapers_with_status').eq('id', id).isNull('deleted_at').first({ signal }),
    meta: { relations: ['config_scrapers', 'job_history'], quiet: true },
  })

/** What a scraper reads, how its last run went, and a way to run it now. */
export function ScraperHeader({ id }: { id: string }) {
  const { data } = useQuery({ ...scraperStateQuery(id), enabled: uuid.test(id) })
  if (!data) return null
  const spec = isObject(data.spec) ? data.spec : {}
  const schedule = typeof spec.schedule === 'string' ? spec.schedule : '@every 60m'
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2 text-sm">
      <span className="flex flex-wrap gap-1">
        {kindLabels(spec).map((label) => (
          <Badge key={label}>{label}</Badge>
        ))}
      </span>
      <span className="text-muted">{schedule}</span>
      {data.job_status ? (
        <span className="flex items-center gap-2">
          <JobStatus status={data.job_status} />
          <Age value={data.job_time_start} suffix=" ago" className="text-subtle" />
        </span>
      ) : (
        <span className="text-subtle">Has not run yet</span>
      )}
      {/* What an agent scrapes is run by the agent. */}
      {!agentIdOf(data.agent_id) && <RunNow scraper={data} />}
    </div>
  )
}

function RunNow({ scraper }: { scraper: { id: string; name: string } }) {
  const canRun = useCan('write', 'config_scrapers')
  const run = useRunScraper(scraper)
  if (!canRun) return null
  return (
    <Button icon={Play} className="ml-auto" loading={run.isPending} onClick={() => run.mutate()}>
      Run now
    </Button>
  )
}

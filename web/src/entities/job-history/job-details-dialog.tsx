import { useState } from 'react'
import { formatDate } from '@/lib/dates.ts'
import { CopyButton } from '@/ui/copy-button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { JsonView } from '@/ui/json-view.tsx'
import { TabPanel, Tabs } from '@/ui/tabs.tsx'
import { detailsLabels, type DetailsTab, detailsTabs, type Job, jobWord } from './job.ts'

/** What a run reported; nothing when it reported nothing. */
export function JobDetailsDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const tabs = detailsTabs(job)
  const [chosen, setChosen] = useState<DetailsTab>()
  const tab = chosen && tabs.includes(chosen) ? chosen : tabs[0]
  if (!tab) return null
  const errors = job.details?.errors ?? []
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="medium"
      title={job.resource_name ? `${job.name}: ${job.resource_name}` : job.name}
      description={[job.status && jobWord(job.status), formatDate(job.time_start ?? job.created_at)]
        .filter(Boolean)
        .join(' · ')}
      bodyClassName="flex flex-col px-0 pt-0 pb-4"
    >
      <Tabs
        aria-label="Details of this run"
        value={tab}
        onChange={(next) => setChosen(next as DetailsTab)}
        listClassName="px-5"
        tabs={tabs.map((value) => ({
          value,
          label: detailsLabels[value],
          count: value === 'errors' ? errors.length : undefined,
        }))}
      >
        {tabs.map((value) => (
          <TabPanel key={value} value={value} className="px-5 pt-4">
            {value === 'errors' ? <Errors errors={errors} /> : <JsonView value={job.details?.[value]} openDepth={3} />}
          </TabPanel>
        ))}
      </Tabs>
    </Dialog>
  )
}

function Errors({ errors }: { errors: readonly string[] }) {
  return (
    <ul className="flex flex-col gap-2">
      {errors.map((error, index) => (
        <li key={index} className="flex items-start gap-2 rounded-md bg-sunken px-3 py-2">
          <pre className="min-w-0 flex-1 font-mono text-xs break-words whitespace-pre-wrap">{error}</pre>
          <CopyButton text={error} label="Copy error" />
        </li>
      ))}
    </ul>
  )
}

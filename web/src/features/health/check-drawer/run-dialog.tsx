import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDate } from '@/lib/dates.ts'
import { Age } from '@/ui/age.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Bytes, Millis } from '@/ui/figures.tsx'
import { JsonView } from '@/ui/json-view.tsx'
import { KeyValueList } from '@/ui/key-value.tsx'
import { Status } from '@/ui/status.tsx'
import { AnsiText } from '@/ui/text/ansi.tsx'
import { type CheckRun, filesQuery } from './check.queries.ts'

const words = 'max-h-72 rounded-md border border-line bg-sunken p-2'

/** State of one run in words. */
export function RunStatus({ run }: { run: CheckRun }) {
  return (
    <Status health={run.status ? 'healthy' : 'unhealthy'}>
      {run.status ? 'Healthy' : run.invalid ? 'Invalid' : 'Unhealthy'}
    </Status>
  )
}

/** One run in full: everything it said, what it found, and the files it left. */
export function RunDialog({ run, onClose }: { run: CheckRun; onClose: () => void }) {
  // Whoever may not see files, and servers that keep none, show none.
  const { data: files } = useQuery(filesQuery(run.check_id, run.time))
  return (
    <Dialog open title="Run" size="medium" onOpenChange={(open) => !open && onClose()}>
      <div className="flex flex-col gap-4">
        <KeyValueList
          items={[
            ['Status', <RunStatus key="status" run={run} />],
            [
              'Time',
              <span key="time">
                {formatDate(run.time)} (<Age value={run.time} suffix=" ago" />)
              </span>,
            ],
            ['Duration', <Millis key="duration" ms={run.duration} />],
          ]}
        />
        {run.error && (
          <Part title="Error">
            <AnsiText text={run.error} className={`${words} text-bad-text`} />
          </Part>
        )}
        {run.message && (
          <Part title="Message">
            <AnsiText text={run.message} className={words} />
          </Part>
        )}
        {files && files.length > 0 && (
          <Part title="Files">
            <ul className="flex flex-col gap-1">
              {files.map((file) => (
                <li key={file.id}>
                  <a
                    className="inline-flex max-w-full items-center gap-2 text-sm text-accent-text hover:underline"
                    href={`/api/artifacts/download/${file.id}`}
                    download
                  >
                    <Download aria-hidden className="size-4 shrink-0" />
                    <span className="truncate">{file.filename}</span>
                    <Bytes bytes={file.size} className="text-subtle" />
                  </a>
                </li>
              ))}
            </ul>
          </Part>
        )}
        {hasContent(run.details) && (
          <Part title="Details">
            <JsonView value={run.details} className="rounded-md border border-line p-2" />
          </Part>
        )}
      </div>
    </Dialog>
  )
}

const hasContent = (details: unknown): boolean =>
  typeof details === 'object' && details !== null ? Object.keys(details).length > 0 : Boolean(details)

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-1">
      <h3 className="text-sm font-medium text-subtle">{title}</h3>
      {children}
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAccess } from '@/api/access.tsx'
import { plural } from '@/lib/format.ts'
import { Age } from '@/ui/age.tsx'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { CopyButton } from '@/ui/copy-button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { Pagination } from '@/ui/table/pagination.tsx'
import {
  type EventSummary,
  type FailedEvent,
  failedEventsQuery,
  failedPageSize,
  type Target,
  useDiscardEvents,
  useRetryEvents,
} from './event-queue.queries.ts'

/** The most common error of a name in full, the events behind it, and what an administrator can do about them. */
export function FailedEventsDialog({ summary, onClose }: { summary: EventSummary; onClose: () => void }) {
  const { roles, capabilities } = useAccess()
  // A server of the shared API alone has no calls for this.
  const canAct = roles.includes('admin') && capabilities.version !== ''
  const [pageIndex, setPageIndex] = useState(0)
  const { data, error, isPending, refetch } = useQuery(failedEventsQuery(summary.name, pageIndex))
  const retry = useRetryEvents()
  const discard = useDiscardEvents()
  const [asked, setAsked] = useState<Target>()
  const total = data?.totalEntries ?? data?.data.length ?? 0
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="medium"
      title={summary.name}
      description={data ? plural(total, 'failed event') : 'Failed events'}
      footer={
        canAct &&
        total > 0 && (
          <>
            <Button icon={Trash2} onClick={() => setAsked({ name: summary.name })}>
              Discard all
            </Button>
            <Button
              variant="primary"
              icon={RotateCw}
              loading={retry.isPending}
              onClick={() => retry.mutate({ name: summary.name })}
            >
              Retry all
            </Button>
          </>
        )
      }
    >
      {summary.most_common_error && (
        <section aria-labelledby="common-error" className="mb-5">
          <div className="mb-1 flex items-center justify-between">
            <h3 id="common-error" className="text-sm font-semibold">
              Most common error
            </h3>
            <CopyButton text={summary.most_common_error} label="Copy error" />
          </div>
          <pre className="max-h-60 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap">
            {summary.most_common_error}
          </pre>
        </section>
      )}
      {isPending ? (
        <SkeletonLines lines={4} />
      ) : error && !data ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} className="m-0" />
      ) : data && total === 0 ? (
        <EmptyState title="No failed events left" />
      ) : (
        <ul aria-label="Failed events" className="flex flex-col">
          {data?.data.map((event) => (
            <EventLine
              key={event.id}
              event={event}
              onRetry={canAct ? () => retry.mutate({ id: event.id, name: event.name }) : undefined}
              onDiscard={canAct ? () => setAsked({ id: event.id, name: event.name }) : undefined}
            />
          ))}
        </ul>
      )}
      {total > failedPageSize && (
        <Pagination
          pageIndex={pageIndex}
          pageSize={failedPageSize}
          total={total}
          sizes={[failedPageSize]}
          onChange={(page) => setPageIndex(page.pageIndex)}
        />
      )}
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={asked && 'id' in asked ? 'Discard this event?' : `Discard ${plural(total, 'failed event')}?`}
        confirmLabel="Discard"
        onConfirm={() => asked && discard.mutateAsync(asked)}
      >
        What should have happened because of it will not happen. This cannot be undone.
      </ConfirmDialog>
    </Dialog>
  )
}

function EventLine({
  event,
  onRetry,
  onDiscard,
}: {
  event: FailedEvent
  onRetry?: () => void
  onDiscard?: () => void
}) {
  return (
    <li className="flex items-start gap-3 border-t border-line py-2 first:border-t-0">
      <div className="min-w-0 flex-1">
        <p className="text-sm break-words">{event.error}</p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-muted">
          <Age value={event.last_attempt ?? event.created_at} suffix=" ago" />
          <span>{plural(event.attempts ?? 0, 'attempt')}</span>
          {event.dead_letter && <Badge tone="bad">given up</Badge>}
        </p>
        <p className="truncate font-mono text-xs text-subtle" title={JSON.stringify(event.properties)}>
          {Object.entries(event.properties ?? {})
            .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join(' ')}
        </p>
      </div>
      {onRetry && <IconButton icon={RotateCw} label="Retry this event" size="sm" onClick={onRetry} />}
      {onDiscard && <IconButton icon={Trash2} label="Discard this event" size="sm" onClick={onDiscard} />}
    </li>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ApiError } from '@/api/errors.ts'
import { SeverityBadge } from '@/entities/insight/insight-marks.tsx'
import { PersonAvatar } from '@/entities/person-avatar.tsx'
import { ConfigLink } from '@/entities/resource-link.tsx'
import { formatNumber } from '@/lib/format.ts'
import { DateTime } from '@/ui/age.tsx'
import { CodeBlock } from '@/ui/code/code-editor.tsx'
import { DiffView } from '@/ui/code/diff-view.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { JsonView } from '@/ui/json-view.tsx'
import { KeyValueList } from '@/ui/key-value.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { TabPanel, Tabs } from '@/ui/tabs.tsx'
import { ownTextOf, textOf } from '../item/document-text.ts'
import { type ChangeDetail, changeQuery, type ChangeVersions, versionsQuery } from './changes.queries.ts'
import { sidesOf } from './unified-diff.ts'

/** One change: what it was, and the item before and after it. */
export function ChangeDialog({ id, configId, onClose }: { id: string; configId?: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(changeQuery(id, configId))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="large"
      title={data?.change_type || 'Change'}
      description={data?.summary || undefined}
    >
      {error && !data ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === null ? (
        <EmptyState title="Change not found">It may have been cleaned up since the list was read.</EmptyState>
      ) : data ? (
        <ChangeDetails change={data} />
      ) : (
        <SkeletonLines lines={10} />
      )}
    </Dialog>
  )
}

const isFilled = (value: unknown) =>
  value !== null && value !== undefined && value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0)

function ChangeDetails({ change }: { change: ChangeDetail }) {
  const isDocumentChange = isFilled(change.diff) || isFilled(change.patches)
  const tabs = [
    ...(isFilled(change.diff) ? [{ value: 'diff', label: 'Diff' }] : []),
    ...(isDocumentChange ? [{ value: 'versions', label: 'Before and after' }] : []),
    ...(isFilled(change.patches) ? [{ value: 'patches', label: 'Patches' }] : []),
    ...(isFilled(change.details) ? [{ value: 'details', label: 'Details' }] : []),
  ]
  const [chosen, setChosen] = useState<string>()
  const tab = tabs.some(({ value }) => value === chosen) ? chosen! : tabs[0]?.value
  return (
    <div className="flex min-h-0 flex-col gap-4">
      <Facts change={change} />
      {tab === undefined ? (
        <EmptyState title="Nothing more was recorded">Its source told of the change without details.</EmptyState>
      ) : (
        <Tabs aria-label="What was recorded" value={tab} onChange={setChosen} tabs={tabs}>
          <TabPanel value="diff" className="pt-3">
            <TextDiff diff={change.diff ?? ''} />
          </TabPanel>
          <TabPanel value="versions" className="pt-3">
            <Versions id={change.id} />
          </TabPanel>
          <TabPanel value="patches" className="pt-3">
            <JsonView value={change.patches} openDepth={4} className="max-h-[50vh] overflow-y-auto" />
          </TabPanel>
          <TabPanel value="details" className="pt-3">
            <JsonView value={change.details} openDepth={3} className="max-h-[50vh] overflow-y-auto" />
          </TabPanel>
        </Tabs>
      )}
    </div>
  )
}

function Facts({ change }: { change: ChangeDetail }) {
  return (
    <KeyValueList
      className="sm:grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)_minmax(6rem,max-content)_minmax(0,1fr)]"
      items={[
        change.config && ['Item', <ConfigLink key="item" config={change.config} />],
        change.config && ['Type', change.config.type],
        !!change.severity && ['Severity', <SeverityBadge key="severity" severity={change.severity} />],
        !!change.source && ['Source', change.source],
        ['Last seen', <DateTime key="last" value={change.created_at} />],
        !!change.first_observed && ['First observed', <DateTime key="first" value={change.first_observed} />],
        change.count > 1 && ['Count', formatNumber(change.count)],
        change.created_by
          ? ['Created by', <PersonAvatar key="by" id={change.created_by} withName />]
          : !!change.external_created_by && ['Created by', change.external_created_by],
      ]}
    />
  )
}

const heights: readonly [lines: number, className: string][] = [
  [6, 'h-56'],
  [11, 'h-80'],
  [17, 'h-[28rem] max-h-[55vh]'],
]

/** Little text needs little room. */
function heightOf({ before, after }: { before: string; after: string }): string {
  const most = heights.at(-1)![0] + 1
  const kept = after.split('\n', most)
  const removed = before.split('\n', most).filter((line) => !kept.includes(line))
  return heights.find(([lines]) => kept.length + removed.length <= lines)?.[1] ?? 'h-[55vh]'
}

/** The recorded diff; a text that is none is shown as it is. */
function TextDiff({ diff }: { diff: string }) {
  const sides = useMemo(() => sidesOf(diff), [diff])
  if (!sides) return <CodeBlock text={diff} className="max-h-[55vh] overflow-y-auto" />
  return <DiffView {...sides} language="text" className={heightOf(sides)} label="What changed" />
}

/** The whole item on both sides of the change. */
function Versions({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(versionsQuery(id))
  if (error && !data) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 501))
      return <EmptyState title="No versions">The item before and after this change cannot be rebuilt.</EmptyState>
    return <ErrorPanel error={error} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonLines lines={8} />
  return <BothVersions versions={data} />
}

/** A version as its own page would show it; nothing where there was none. */
const sideText = (side: ChangeVersions['before']) =>
  side === null ? '' : (ownTextOf(side)?.content ?? textOf(side, 'yaml'))

function BothVersions({ versions }: { versions: ChangeVersions }) {
  const [before, after] = useMemo(() => [sideText(versions.before), sideText(versions.after)] as const, [versions])
  return (
    <div className="flex flex-col gap-2">
      {!versions.complete && (
        <p role="note" className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-text">
          <Info size={15} aria-hidden className="mt-0.5 shrink-0" />
          {versions.reason ?? 'Parts of the item could not be rebuilt.'}
        </p>
      )}
      <DiffView
        before={before}
        after={after}
        language="yaml"
        className={heightOf({ before, after })}
        label="Item before and after"
      />
    </div>
  )
}

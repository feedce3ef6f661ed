/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */
import type { TryScraperResult } from '@quarterdeck/contract/catalog'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatNumber, formatSpan, plural } from '@/lib/format.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Millis } from '@/ui/figures.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { JsonView } from '@/ui/json-view.tsx'
import { MiddleText } from '@/ui/middle-text.tsx'
import { CollapsibleSection } from '@/ui/section.tsx'
import { TagList } from '@/ui/tag-list.tsx'
import { htmlToText } from '@/ui/text/safe-html.tsx'
import { SeverityBadge } from '../insight/insight-marks.tsx'
import { UnifiedDiff } from './unified-diff.tsx'

type Part = 'created' | 'changed' | 'deleted' | 'changes' | 'insights' | 'errors'
const words: readonly { part: Part; label: string }[] = [
  { part: 'created', label: 'would be created' },
  { part: 'changed', label: 'would change' },
  { part: 'deleted', label: 'would be deleted' },
]

/** What a scrape that saved nothing would have done. */
export function TryResults({ result }: { result: TryScraperResult }) {
  const total = (part: Part) => result.totals?.[part] ?? result[part].length
  const touched = total('created') + total('changed') + total('deleted')
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        {words.map(({ part, label }) => (
          <span key={part}>
            <b className="font-semibold">{formatNumber(total(part))}</b> {label}
          </span>
        ))}
        <span className="text-muted">{formatNumber(result.unchanged)} unchanged</span>
        {result.relationships > 0 && <span className="text-muted">{plural(result.relationships, 'relationship')}</span>}
        <Millis ms={result.duration_ms} className="text-subtle" />
      </p>
      {result.errors.length > 0 && (
        <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad-text">
          <p className="flex items-center gap-2 font-medium">
            <CircleAlert size={15} aria-hidden /> {plural(total('errors'), 'error')}
          </p>
          <ul className="mt-1 flex flex-col gap-1">
            {result.errors.map((error, i) => (
              <li key={i} className="break-words whitespace-pre-wrap">
                {error.item && <b className="font-medium">{error.item}: </b>}
                {error.message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {touched === 0 && result.errors.length === 0 && result.unchanged === 0 && (
        <p className="text-sm text-muted">Nothing was found.</p>
      )}
      <Listed title="Created" total={total('created')} items={result.created}>
        {(item) => (
          <Entry name={item.name} type={item.type} tags={item.tags}>
            {item.config !== undefined && (
              <JsonView value={item.config} openDepth={1} className="max-h-80 overflow-y-auto" />
            )}
          </Entry>
        )}
      </Listed>
      <Listed title="Changed" total={total('changed')} items={result.changed}>
        {(item) => (
          <Entry name={item.name} type={item.type} note={item.summary}>
            {item.diff && <UnifiedDiff text={item.diff} />}
          </Entry>
        )}
      </Listed>
      <Listed
        title="Deleted"
        total={total('deleted')}
        items={result.deleted}
        note={
          result.stale_after_ms &&
          `Items that are no longer found are deleted once they have been out of sight for ${formatSpan(result.stale_after_ms, 2)}.`
        }
      >
        {(item) => <Entry name={item.name} type={item.type} />}
      </Listed>
      <Listed title="Changes reported" total={total('changes')} items={result.changes}>
        {(change) => (
          <Entry
            name={change.change_type}
            type={change.config_type ?? ''}
            of={change.external_id}
            note={change.summary}
            mark={<SeverityBadge severity={change.severity} />}
          />
        )}
      </Listed>
      <Listed title="Insights" total={total('insights')} items={result.insights}>
        {(insight) => (
          <Entry
            name={insight.analyzer}
            type={insight.config_type ?? insight.analysis_type}
            of={insight.external_id}
            note={insight.summary ?? htmlToText(insight.message)}
            mark={<SeverityBadge severity={insight.severity} />}
          />
        )}
      </Listed>
      {result.logs && result.logs.length > 0 && (
        <CollapsibleSection title="Log" count={result.logs.length} defaultOpen={false}>
          <pre tabIndex={0} className="max-h-80 overflow-auto font-mono text-xs whitespace-pre-wrap">
            {result.logs.join('\n')}
          </pre>
        </CollapsibleSection>
      )}
    </div>
  )
}

const step = 20

/** A part of the result, its first entries at once and the rest when asked for. */
function Listed<T>({
  title,
  total,
  items,
  note,
  children,
}: {
  title: string
  total: number
  note?: ReactNode
  items: readonly T[]
  children: (item: T) => ReactNode
}) {
  const [shown, setShown] = useState(step)
  if (items.length === 0) return null
  return (
    <CollapsibleSection title={title} count={total} className="border-b-0">
      {note && <p className="mb-2 text-sm text-muted">{note}</p>}
      <ul aria-label={title} className="flex flex-col gap-2">
        {items.slice(0, shown).map((item, i) => (
          <li key={i}>{children(item)}</li>
        ))}
      </ul>
      {shown < items.length && (
        <Button size="sm" className="mt-2" onClick={() => setShown(shown + step * 5)}>
          Show more of {formatNumber(items.length)}
        </Button>
      )}
      {shown >= items.length && total > items.length && (
        <p className="mt-2 text-xs text-subtle">
          {formatNumber(total - items.length)} more are not shown; the answer has its limits.
        </p>
      )}
    </CollapsibleSection>
  )
}

function Entry({
  name,
  type,
  of,
  note,
  mark,
  tags,
  children,
}: {
  name: string
  type: string
  /** The item that it is about. */
  of?: string | null
  note?: string | null
  mark?: ReactNode
  tags?: Record<string, string>
  children?: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <article aria-label={name} className="rounded-md border border-line bg-surface px-3 py-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        {type && <Icon name={type} />}
        <MiddleText text={name} className="font-medium" />
        {type && <Badge>{type}</Badge>}
        {of && <MiddleText text={of} className="text-muted" />}
        {mark}
        {tags && <TagList tags={tags} max={2} />}
        {children && (
          <Button size="sm" variant="ghost" className="ml-auto" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        )}
      </div>
      {note && <p className="mt-1 text-sm break-words text-muted">{note}</p>}
      {isOpen && <div className="mt-2">{children}</div>}
    </article>
  )
}

import { Search } from 'lucide-react'
import { useMemo, useRef } from 'react'
import type { ConfigDetail } from '@/entities/config/config.ts'
import { ConfigFrame } from '@/entities/config/config-frame.tsx'
import { type Codec, searchParams } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { Button } from '@/ui/button.tsx'
import { type CodeView, CodeViewer } from '@/ui/code/code-editor.tsx'
import { formatLines, type LineRange, parseLines } from '@/ui/code/lines.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { Segmented } from '@/ui/segmented.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { type DocumentFormat, type OwnText, ownTextOf } from './document-text.ts'
import { useDocumentText } from './use-document-text.ts'

const lines: Codec<LineRange | undefined> = {
  parameters: (name) => [name],
  read: (get, name) => parseLines(get(name)),
  write: (value, name) => ({ [name]: formatLines(value) || undefined }),
}
const format: Codec<DocumentFormat | undefined> = {
  parameters: (name) => [name],
  read: (get, name) => (['json', 'yaml'] as const).find((each) => each === get(name)),
  write: (value, name) => ({ [name]: value }),
}
const documentFilters = searchParams({ selected: lines, format })

const formats = [
  { value: 'yaml', label: 'YAML' },
  { value: 'json', label: 'JSON' },
] as const

/** The page of an item that shows its document. */
export function ConfigDocumentPage() {
  return <ConfigFrame>{(item) => <ConfigDocument key={item.id} item={item} />}</ConfigFrame>
}

function ConfigDocument({ item }: { item: ConfigDetail }) {
  const own = useMemo(() => ownTextOf(item.config), [item.config])
  if (item.config === null || item.config === undefined)
    return <EmptyState title="No configuration">Its scraper recorded the item without a document.</EmptyState>
  return own ? <OwnDocument text={own} /> : <WrittenDocument value={item.config} />
}

/** A document that came as text is shown as it came. */
function OwnDocument({ text: { content, format: language } }: { text: OwnText }) {
  return (
    <Document
      text={content}
      language={language === 'json' || language === 'yaml' ? language : language === 'yml' ? 'yaml' : 'text'}
    />
  )
}

function WrittenDocument({ value }: { value: unknown }) {
  const [{ format: chosen = 'yaml' }, setFilters] = useFilters(documentFilters)
  const text = useDocumentText(value, chosen)
  return (
    <Document
      text={text}
      language={chosen}
      // Lines of one format mean nothing in the other.
      actions={
        <Segmented
          aria-label="Format"
          value={chosen}
          options={formats}
          onChange={(next) => setFilters({ format: next === 'yaml' ? undefined : next, selected: undefined })}
        />
      }
    />
  )
}

function Document({
  text,
  language,
  actions,
}: {
  text: string | undefined
  language: 'yaml' | 'json' | 'text'
  actions?: React.ReactNode
}) {
  const [{ selected }, setFilters] = useFilters(documentFilters)
  const view = useRef<CodeView>(undefined)
  return (
    <div className="flex h-full flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b border-line bg-surface px-4 py-1.5">
        {actions}
        <Button variant="ghost" icon={Search} onClick={() => view.current?.openSearch()}>
          Find
        </Button>
        {selected && (
          <span className="text-xs text-muted">
            {selected.from === selected.to ? `Line ${selected.from}` : `Lines ${selected.from}–${selected.to}`} selected
          </span>
        )}
      </div>
      <div className="min-h-0 flex-1">
        {text === undefined ? (
          <SkeletonLines lines={14} className="p-4" />
        ) : (
          <CodeViewer
            key={language}
            value={text}
            language={language}
            lines={selected}
            onLinesChange={(range) => setFilters({ selected: range })}
            onView={(created) => (view.current = created)}
            aria-label="Configuration"
          />
        )}
      </div>
    </div>
  )
}

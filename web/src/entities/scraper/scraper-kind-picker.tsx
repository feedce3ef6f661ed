import { useState } from 'react'
import { Dialog } from '@/ui/dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { SearchInput } from '@/ui/input.tsx'
import { kinds, type ScraperKind } from './kinds/all.ts'

/** First step of a new scraper: what it reads. */
export function ScraperKindPicker({ onPick, onClose }: { onPick: (kind: ScraperKind) => void; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const shown = kinds.filter(({ label, key, about }) => `${label} ${key} ${about}`.toLowerCase().includes(words))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Add Catalog Scraper" size="small">
      <div className="flex min-h-96 flex-col gap-3">
        <SearchInput
          aria-label="Search kinds of sources"
          placeholder="Search"
          value={search}
          onValueChange={setSearch}
          autoFocus
        />
        {shown.length === 0 && <EmptyState title={`No kind of source matches “${search}”`} />}
        <ul aria-label="Kinds of sources" className="grid gap-2 sm:grid-cols-2">
          {shown.map((kind) => (
            <li key={kind.key}>
              <button
                type="button"
                aria-label={kind.label}
                onClick={() => onPick(kind)}
                className="flex h-14 w-full min-w-0 items-center gap-3 rounded-md border border-line bg-surface px-3 text-left hover:border-line-strong hover:bg-hover"
              >
                <Icon name={kind.icon} size={20} className="shrink-0 text-muted" />
                <span className="min-w-0">
                  <span className="block truncate text-sm font-medium">{kind.label}</span>
                  <span className="line-clamp-2 text-2xs text-subtle">{kind.about}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

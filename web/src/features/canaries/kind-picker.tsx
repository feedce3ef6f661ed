import { useState } from 'react'
import { Dialog } from '@/ui/dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { SearchInput } from '@/ui/input.tsx'
import { type CheckKind, kinds } from './kinds/all.ts'

/** First step of a new health check: which kind. */
export function KindPicker({ onPick, onClose }: { onPick: (kind: CheckKind) => void; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const shown = kinds.filter(({ label, key }) => `${label} ${key ?? ''}`.toLowerCase().includes(words))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Add Health Check" size="small">
      <div className="flex min-h-96 flex-col gap-3">
        <SearchInput
          aria-label="Search kinds of checks"
          placeholder="Search"
          value={search}
          onValueChange={setSearch}
          autoFocus
        />
        {shown.length === 0 && <EmptyState title={`No kind of check matches “${search}”`} />}
        <ul aria-label="Kinds of checks" className="grid grid-cols-2 gap-2 sm:grid-cols-3">
          {shown.map((kind) => (
            <li key={kind.label}>
              <button
                type="button"
                onClick={() => onPick(kind)}
                className="flex h-11 w-full min-w-0 items-center gap-2.5 rounded-md border border-line bg-surface px-3 text-left text-sm hover:border-line-strong hover:bg-hover"
              >
                <Icon name={kind.icon} size={18} className="shrink-0 text-muted" />
                <span className="truncate">{kind.label}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

import { offeredKinds } from '@quarterdeck/contract/connections/index'
import { categories, type Category, type ConnectionKind } from '@quarterdeck/contract/connections/kind'
import { useState } from 'react'
import { Drawer } from '@/ui/drawer.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { SearchInput } from '@/ui/input.tsx'
import { TypeIcon } from './connection-columns.tsx'

/** First step of a new connection: to what. */
export function TypePicker({ onPick, onClose }: { onPick: (type: string) => void; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const shown = offeredKinds.filter(({ label, type, category }) =>
    `${label} ${type} ${categories[category]}`.toLowerCase().includes(words),
  )
  const groups = (Object.keys(categories) as Category[])
    .map((category) => ({ category, kinds: shown.filter((kind) => kind.category === category) }))
    .filter(({ kinds }) => kinds.length > 0)
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title="Add Connection">
      <div className="flex flex-col gap-4">
        <SearchInput
          aria-label="Search types of connections"
          placeholder="Search"
          value={search}
          onValueChange={setSearch}
          onKeyDown={(event) => {
            const [first] = shown
            if (event.key === 'Enter' && words !== '' && first) onPick(first.type)
          }}
          autoFocus
        />
        {groups.length === 0 && <EmptyState title={`No type of connection matches “${search}”`} />}
        {groups.map(({ category, kinds }) => (
          <div role="group" key={category} aria-labelledby={`connections-${category}`}>
            <h3 id={`connections-${category}`} className="mb-2 text-xs font-medium text-muted">
              {categories[category]}
            </h3>
            <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
              {kinds.map((kind) => (
                <li key={kind.type}>
                  <Choice kind={kind} onPick={onPick} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Drawer>
  )
}

function Choice({ kind, onPick }: { kind: ConnectionKind; onPick: (type: string) => void }) {
  return (
    <button
      type="button"
      onClick={() => onPick(kind.type)}
      className="flex h-11 w-full min-w-0 items-center gap-2.5 rounded-md border border-line bg-surface px-3 text-left text-sm hover:border-line-strong hover:bg-hover"
    >
      <TypeIcon type={kind.type} size={18} />
      <span className="truncate">{kind.label}</span>
    </button>
  )
}

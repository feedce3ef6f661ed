import { useState } from 'react'
import { cn } from '@/lib/cn.ts'
import { Dialog } from '../dialog.tsx'
import { Drawer } from '../drawer.tsx'
import { EmptyState } from '../empty-state.tsx'
import { Icon } from '../icons/icon.tsx'
import { SearchInput } from '../input.tsx'

/** Something of which one can be added. */
export interface Kind {
  label: string
  icon: string
  /** What it is for, below its label. */
  about?: string
  /** Its name in documents; search finds it too. */
  key?: string
}

/** Kinds under a heading. */
export interface KindGroup<K extends Kind> {
  title: string
  about?: string
  kinds: readonly K[]
}

export interface KindPickerProps<K extends Kind> {
  title: string
  /** What is picked, one and several of them: `['kind of check', 'kinds of checks']`. */
  nouns: readonly [one: string, several: string]
  groups: readonly KindGroup<K>[]
  /** A dozen kinds are seen at once and need no search. */
  hasSearch?: boolean
  frame?: 'dialog' | 'drawer'
  onPick: (kind: K) => void
  onClose: () => void
}

/** First step of adding something that comes in kinds: which one. Enter takes the first that was found. */
export function KindPicker<K extends Kind>({
  title,
  nouns: [one, several],
  groups,
  hasSearch = true,
  frame = 'dialog',
  onPick,
  onClose,
}: KindPickerProps<K>) {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const found = groups
    .map((group) => ({
      ...group,
      kinds: group.kinds.filter(({ label, key = '', about = '' }) =>
        `${label} ${key} ${about} ${group.title}`.toLowerCase().includes(words),
      ),
    }))
    .filter(({ kinds }) => kinds.length > 0)
  const content = (
    <div className={cn('flex flex-col gap-4', hasSearch && 'min-h-96')}>
      {hasSearch && (
        <SearchInput
          aria-label={`Search ${several}`}
          placeholder="Search"
          value={search}
          onValueChange={setSearch}
          onKeyDown={(event) => {
            const first = found[0]?.kinds[0]
            if (event.key === 'Enter' && words !== '' && first) onPick(first)
          }}
          autoFocus
        />
      )}
      {found.length === 0 && <EmptyState title={`No ${one} matches “${search}”`} />}
      {found.map((group) => (
        <Group key={group.title} group={group} isOnly={groups.length === 1} onPick={onPick} />
      ))}
    </div>
  )
  const shell = { open: true, onOpenChange: (open: boolean) => !open && onClose(), title, children: content }
  return frame === 'drawer' ? <Drawer {...shell} /> : <Dialog {...shell} size="small" />
}

function Group<K extends Kind>({
  group: { title, about, kinds },
  isOnly,
  onPick,
}: {
  group: KindGroup<K>
  isOnly: boolean
  onPick: (kind: K) => void
}) {
  const isTold = kinds.some((kind) => kind.about)
  return (
    // A group, not a section: a landmark of its own could share its name with one of the page.
    <div role="group" aria-label={title}>
      {!isOnly && <h3 className={about ? 'text-sm font-semibold' : 'mb-2 text-xs font-medium text-muted'}>{title}</h3>}
      {about && <p className="mb-2 text-sm text-muted">{about}</p>}
      <ul aria-label={title} className={cn('grid gap-2', isTold ? 'sm:grid-cols-2' : 'grid-cols-2 sm:grid-cols-3')}>
        {kinds.map((kind) => (
          <li key={kind.label}>
            <button
              type="button"
              aria-label={kind.label}
              onClick={() => onPick(kind)}
              className={cn(
                'flex w-full min-w-0 items-center rounded-md border border-line bg-surface px-3 text-left text-sm hover:border-line-strong hover:bg-hover',
                isTold ? 'h-14 gap-3' : 'h-11 gap-2.5',
              )}
            >
              <Icon name={kind.icon} size={isTold ? 20 : 18} />
              <span className="min-w-0">
                <span className={cn('block truncate', isTold && 'font-medium')}>{kind.label}</span>
                {kind.about && <span className="line-clamp-2 text-2xs text-subtle">{kind.about}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

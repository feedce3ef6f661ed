import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { ArrowRight, BookOpenCheck, type LucideIcon, Monitor, Moon, Search, Siren, Sun } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { useAccess } from '@/api/access.tsx'
import { useDebounced } from '@/lib/use-debounced.ts'
import { Kbd } from '@/ui/kbd.tsx'
import { Spinner } from '@/ui/spinner.tsx'
import { HealthMark, toHealth } from '@/ui/status.tsx'
import type { Nav } from '../nav.ts'
import { paths } from '../paths.ts'
import { useTheme } from '../theme.ts'
import { ranked } from './rank.ts'
import { kinds, type SearchHit, searchQuery } from './search.ts'

const rest = 150

interface Entry {
  label: string
  icon?: ReactNode
  hint?: ReactNode
  run: () => void
}

/** Jumps to any page and finds checks, catalog items, components, incidents and playbooks, all from the keyboard. */
export function Palette({ nav, onClose }: { nav: Nav; onClose: () => void }) {
  const access = useAccess()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const text = useDebounced(typed.trim(), rest)
  const { data: hits = [], isFetching, isError } = useQuery(searchQuery(text, access.capabilities.search))
  const pages = usePages(nav, (to) => void navigate(to))
  const actions = useActions()
  const found = typed.trim() === '' ? [] : hits
  const waiting = isFetching || text !== typed.trim()

  const pick = (run: () => void) => () => {
    onClose()
    run()
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-overlay transition-opacity duration-100 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-x-4 top-[max(1rem,12vh)] z-50 mx-auto flex max-h-[min(30rem,calc(100dvh-2rem))] max-w-xl flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-dialog outline-none transition-[opacity,scale] duration-100 data-starting-style:scale-98 data-starting-style:opacity-0">
          <Dialog.Title className="sr-only">Search and jump</Dialog.Title>
          <Command label="Search and jump" shouldFilter={false} loop className="flex min-h-0 flex-col">
            <div className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
              <Search size={16} aria-hidden className="shrink-0 text-subtle" />
              <Command.Input
                autoFocus
                value={typed}
                onValueChange={setTyped}
                placeholder="Search pages, checks, catalog, components, incidents, playbooks"
                className="h-full min-w-0 flex-1 bg-transparent text-base outline-none"
              />
              {waiting && typed.trim() !== '' ? (
                <Spinner size={15} label="Searching" className="text-subtle" />
              ) : (
                <Kbd>Esc</Kbd>
              )}
            </div>
            <Command.List className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain p-2">
              <Section
                heading="Pages"
                entries={ranked(pages, typed).slice(0, typed.trim() === '' ? 50 : 6)}
                pick={pick}
              />
              {kinds
                .filter((kind) => kind.open(access))
                .map(({ kind, heading, to }) => (
                  <Section
                    key={kind}
                    heading={heading}
                    entries={found
                      .filter((hit) => hit.kind === kind)
                      .map((hit) => hitEntry(hit, () => void navigate(to(hit.id))))}
                    pick={pick}
                  />
                ))}
              <Section heading="Actions" entries={ranked(actions, typed)} pick={pick} />
              <Command.Empty className="px-2 py-8 text-center text-sm text-muted">
                {waiting
                  ? 'Searching…'
                  : isError
                    ? 'The search failed. Pages can still be found.'
                    : `Nothing found for “${typed.trim()}”`}
              </Command.Empty>
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface SectionProps {
  heading: string
  entries: readonly (Entry & { id?: string })[]
  pick: (run: () => void) => () => void
}

function Section({ heading, entries, pick }: SectionProps) {
  if (entries.length === 0) return null
  return (
    <Command.Group
      heading={heading}
      className="not-first:mt-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-1.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-subtle"
    >
      {entries.map(({ id, label, icon, hint, run }) => (
        <Command.Item
          key={id ?? label}
          value={`${heading} ${id ?? label}`}
          onSelect={pick(run)}
          className="option cursor-pointer! text-fg! data-[selected=true]:bg-hover"
        >
          <span className="grid w-4 shrink-0 place-items-center text-subtle">
            {icon ?? <ArrowRight size={14} aria-hidden />}
          </span>
          <span className="min-w-0 flex-1 truncate">{label}</span>
          {hint && <span className="max-w-2/5 shrink-0 space-x-1 truncate text-xs text-subtle">{hint}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  )
}

// Only what has a health shows one: a green mark on an open incident would say the opposite of what is true.
const kindIcons: Partial<Record<SearchHit['kind'], LucideIcon>> = { incident: Siren, playbook: BookOpenCheck }

function HitIcon({ kind, status }: SearchHit) {
  const Icon = kindIcons[kind]
  return Icon ? <Icon size={15} aria-hidden /> : <HealthMark health={toHealth(status)} label={status ?? undefined} />
}

const hitEntry = (hit: SearchHit, run: () => void) => ({
  id: `${hit.kind} ${hit.id}`,
  label: hit.name,
  icon: <HitIcon {...hit} />,
  hint: [hit.type, hit.detail, hit.kind === 'incident' && hit.status].filter(Boolean).join(' · '),
  run,
})

// Pages that are not in the menu but worth jumping to; they are open to whoever sees the menu item above them.
const below: Record<string, { label: string; to: string }[]> = {
  [paths.catalog]: [
    { label: 'Catalog · Changes', to: paths.catalogChanges },
    { label: 'Catalog · Insights', to: paths.catalogInsights },
    { label: 'Catalog · Scrapers', to: paths.scrapers },
  ],
  [paths.playbooks]: [{ label: 'Playbooks · Runs', to: paths.playbookRuns }],
}

function usePages(nav: Nav, go: (to: string) => void): Entry[] {
  return useMemo(
    () => [
      ...nav.main.flatMap(({ label, to, icon: Icon, key }) => [
        {
          label,
          icon: Icon && <Icon size={15} aria-hidden />,
          hint: key && <Keys keys={['g', key]} />,
          run: () => go(to),
        },
        ...(below[to] ?? []).map((page) => ({ label: page.label, run: () => go(page.to) })),
      ]),
      ...nav.settings.map(({ label, to, key }) => ({
        label: `Settings · ${label}`,
        hint: key && <Keys keys={['g', key]} />,
        run: () => go(to),
      })),
    ],
    [nav, go],
  )
}

const Keys = ({ keys }: { keys: string[] }) => keys.map((key) => <Kbd key={key}>{key}</Kbd>)

function useActions(): Entry[] {
  const [theme, setTheme] = useTheme()
  const themes = [
    { value: 'light', label: 'Use the light theme', icon: <Sun size={15} aria-hidden /> },
    { value: 'dark', label: 'Use the dark theme', icon: <Moon size={15} aria-hidden /> },
    { value: 'system', label: 'Follow the theme of the system', icon: <Monitor size={15} aria-hidden /> },
  ] as const
  return themes
    .filter(({ value }) => value !== theme)
    .map(({ value, label, icon }) => ({ label, icon, run: () => setTheme(value) }))
}

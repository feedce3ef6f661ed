import { useMemo, useState } from 'react'
import { AddResourceDialog } from '../settings-resource/add-resource-dialog.tsx'
import { scraper } from '../settings-resource/kinds/scraper.ts'
import type { ResourceKind } from '../settings-resource/resource-kind.ts'
import type { ScraperKind } from './kinds/all.ts'
import { startValues } from './scraper-form.ts'
import { ScraperKindPicker } from './scraper-kind-picker.tsx'

/** Adds a scraper: first what it reads, then its form. */
export function AddScraperDialog({ onClose, onBack }: { onClose: () => void; onBack?: () => void }) {
  const [kind, setKind] = useState<ScraperKind>()
  if (!kind) return <ScraperKindPicker onPick={setKind} onClose={onBack ?? onClose} />
  return <NewScraper key={kind.key} kind={kind} onBack={() => setKind(undefined)} onClose={onClose} />
}

function NewScraper({ kind, onBack, onClose }: { kind: ScraperKind; onBack: () => void; onClose: () => void }) {
  const resource = useMemo(
    (): ResourceKind => ({ ...scraper, name: `${kind.label} Scraper`, start: { ...startValues(kind) } }),
    [kind],
  )
  return <AddResourceDialog kind={resource} onBack={onBack} onClose={onClose} />
}

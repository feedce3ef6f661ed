import { useMemo, useState } from 'react'
import { KindPicker } from '@/ui/form/kind-picker.tsx'
import { AddResourceDialog } from '../settings-resource/add-resource-dialog.tsx'
import { scraper } from '../settings-resource/kinds/scraper.ts'
import type { ResourceKind } from '../settings-resource/resource-kind.ts'
import { kinds, type ScraperKind } from './kinds/all.ts'
import { startValues } from './scraper-form.ts'

/** Adds a scraper: first what it reads, then its form. */
export function AddScraperDialog({ onClose, onBack }: { onClose: () => void; onBack?: () => void }) {
  const [kind, setKind] = useState<ScraperKind>()
  if (!kind)
    return (
      <KindPicker
        title="Add Catalog Scraper"
        nouns={['kind of source', 'kinds of sources']}
        groups={[{ title: 'Kinds of sources', kinds }]}
        onPick={setKind}
        onClose={onBack ?? onClose}
      />
    )
  return <NewScraper key={kind.key} kind={kind} onBack={() => setKind(undefined)} onClose={onClose} />
}

function NewScraper({ kind, onBack, onClose }: { kind: ScraperKind; onBack: () => void; onClose: () => void }) {
  const resource = useMemo(
    (): ResourceKind => ({ ...scraper, name: `${kind.label} Scraper`, start: { ...startValues(kind) } }),
    [kind],
  )
  return <AddResourceDialog kind={resource} onBack={onBack} onClose={onClose} />
}

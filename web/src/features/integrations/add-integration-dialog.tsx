import { useState } from 'react'
import { useAccess } from '@/api/access.tsx'
import { AddScraperDialog } from '@/entities/scraper/add-scraper-dialog.tsx'
import { AddResourceDialog } from '@/entities/settings-resource/add-resource-dialog.tsx'
import { KindPicker } from '@/ui/form/kind-picker.tsx'
import { type DirectChoice, directChoices, type GitOpsChoice, gitOpsChoices } from './choices.ts'
import { GitOpsDialog } from './gitops-dialog.tsx'

const gitOps = {
  title: 'Add via GitOps',
  about: 'A chart in your cluster, installed by Flux or Helm.',
  kinds: gitOpsChoices,
}

/** Adds an integration: first which, then its form. */
export function AddIntegrationDialog({ onClose }: { onClose: () => void }) {
  const { can, has } = useAccess()
  const [choice, setChoice] = useState<GitOpsChoice | DirectChoice>()
  const back = () => setChoice(undefined)
  if (!choice) {
    const kinds = directChoices.filter(
      ({ kind }) => can('write', kind.resource) && (kind.table !== 'logging_backends' || has('logs')),
    )
    const direct = { title: 'Add Directly', about: 'Saved here at once.', kinds }
    return (
      <KindPicker<GitOpsChoice | DirectChoice>
        title="Add Integration"
        nouns={['integration', 'integrations']}
        groups={[gitOps, direct]}
        hasSearch={false}
        onPick={setChoice}
        onClose={onClose}
      />
    )
  }
  if ('chart' in choice) return <GitOpsDialog choice={choice} onBack={back} onClose={onClose} />
  if (choice.kind.table === 'config_scrapers') return <AddScraperDialog onBack={back} onClose={onClose} />
  return <AddResourceDialog kind={choice.kind} onBack={back} onClose={onClose} />
}

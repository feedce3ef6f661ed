import { useState } from 'react'
import { useAccess } from '@/api/access.tsx'
import { AddScraperDialog } from '@/entities/scraper/add-scraper-dialog.tsx'
import { AddResourceDialog } from '@/entities/settings-resource/add-resource-dialog.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { type DirectChoice, directChoices, type GitOpsChoice, gitOpsChoices } from './choices.ts'
import { GitOpsDialog } from './gitops-dialog.tsx'

/** Adds an integration: first which, then its form. */
export function AddIntegrationDialog({ onClose }: { onClose: () => void }) {
  const [choice, setChoice] = useState<GitOpsChoice | DirectChoice>()
  const back = () => setChoice(undefined)
  if (!choice) return <ChoiceDialog onPick={setChoice} onClose={onClose} />
  if ('chart' in choice) return <GitOpsDialog choice={choice} onBack={back} onClose={onClose} />
  if (choice.kind.table === 'config_scrapers') return <AddScraperDialog onBack={back} onClose={onClose} />
  return <AddResourceDialog kind={choice.kind} onBack={back} onClose={onClose} />
}

function ChoiceDialog({
  onPick,
  onClose,
}: {
  onPick: (choice: GitOpsChoice | DirectChoice) => void
  onClose: () => void
}) {
  const { can, has } = useAccess()
  const direct = directChoices.filter(
    ({ kind }) => can('write', kind.resource) && (kind.table !== 'logging_backends' || has('logs')),
  )
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Add Integration" size="small">
      <div className="flex flex-col gap-5">
        <Group
          title="Add via GitOps"
          about="A chart in your cluster, installed by Flux or Helm."
          choices={gitOpsChoices}
          onPick={onPick}
        />
        {direct.length > 0 && (
          <Group
            title="Add Directly"
            about="Saved here at once."
            choices={direct.map((choice) => ({ ...choice, icon: choice.kind.icon }))}
            onPick={onPick}
          />
        )}
      </div>
    </Dialog>
  )
}

function Group<C extends (GitOpsChoice | DirectChoice) & { icon: string }>({
  title,
  about,
  choices,
  onPick,
}: {
  title: string
  about: string
  choices: readonly C[]
  onPick: (choice: C) => void
}) {
  return (
    <section aria-label={title}>
      <h3 className="text-sm font-semibold">{title}</h3>
      <p className="mb-2 text-sm text-muted">{about}</p>
      <ul aria-label={title} className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {choices.map((choice) => (
          <li key={choice.label}>
            <button
              type="button"
              onClick={() => onPick(choice)}
              className="flex h-11 w-full min-w-0 items-center gap-2.5 rounded-md border border-line bg-surface px-3 text-left text-sm hover:border-line-strong hover:bg-hover"
            >
              <Icon name={choice.icon} size={18} className="shrink-0 text-muted" />
              <span className="truncate">{choice.label}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

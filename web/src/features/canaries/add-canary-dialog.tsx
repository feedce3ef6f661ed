import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormDialog } from '@/ui/form/form-dialog.tsx'
import { KindPicker } from '@/ui/form/kind-picker.tsx'
import { useSaveCanary } from './canaries.queries.ts'
import { CanaryEditor } from './canary-editor.tsx'
import { type CanaryValues, startValues, withoutEmptyFields } from './canary-form.ts'
import { type CheckKind, kinds } from './kinds/all.ts'
import { useTrial } from './try-results.tsx'

/** Adds a health check: first its kind, then its form. */
export function AddCanaryDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<CheckKind>()
  if (!kind)
    return (
      <KindPicker
        title="Add Health Check"
        nouns={['kind of check', 'kinds of checks']}
        groups={[{ title: 'Kinds of checks', kinds }]}
        onPick={setKind}
        onClose={onClose}
      />
    )
  return <NewCanary key={kind.label} kind={kind} onBack={() => setKind(undefined)} onClose={onClose} />
}

function NewCanary({ kind, onBack, onClose }: { kind: CheckKind; onBack: () => void; onClose: () => void }) {
  const form = useForm<CanaryValues>({ defaultValues: startValues(kind) })
  const save = useSaveCanary()
  const trial = useTrial(form)
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Add ${kind.label}`}
      size="medium"
      form={form}
      submitLabel="Save"
      onSubmit={async (values) => {
        await save.mutateAsync({ values: withoutEmptyFields(values) })
        onClose()
      }}
      onCancel={onBack}
      cancelLabel="Back"
      extra={trial.button}
    >
      <CanaryEditor isNew />
      {trial.results}
    </FormDialog>
  )
}

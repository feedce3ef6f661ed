import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/ui/button.tsx'
import { FormDialog } from '@/ui/form/form-dialog.tsx'
import { KindPicker } from '@/ui/form/kind-picker.tsx'
import { useSaveCanary, useTryCanary } from './canaries.queries.ts'
import { CanaryEditor } from './canary-editor.tsx'
import { type CanaryValues, startValues, withoutEmptyFields } from './canary-form.ts'
import { type CheckKind, kinds } from './kinds/all.ts'
import { TryResults } from './try-results.tsx'
import { useCanTry } from './use-can-try.ts'

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
  const attempt = useTryCanary()
  const canTry = useCanTry()
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
      extra={
        canTry && (
          <Button
            icon={FlaskConical}
            loading={attempt.isPending}
            onClick={() => void form.handleSubmit((values) => attempt.mutate(withoutEmptyFields(values)))()}
          >
            Try it
          </Button>
        )
      }
    >
      <CanaryEditor isNew />
      <TryResults attempt={attempt} />
    </FormDialog>
  )
}

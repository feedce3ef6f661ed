import { useForm } from 'react-hook-form'
import { FormDialog } from '@/ui/form/form-dialog.tsx'
import { ResourceFields } from './resource-fields.tsx'
import type { ResourceKind, ResourceValues } from './resource-kind.ts'
import { useSaveResource } from './resource.queries.ts'

/** Adds one of a kind. */
export function AddResourceDialog({
  kind,
  onClose,
  onBack,
}: {
  kind: ResourceKind
  onClose: () => void
  /** To where the kind was chosen. */
  onBack?: () => void
}) {
  const form = useForm<ResourceValues>({
    defaultValues: kind.start,
    mode: kind.savesOnlyValid ? 'onChange' : 'onSubmit',
  })
  const save = useSaveResource(kind)
  const { isValid } = form.formState
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Add ${kind.name}`}
      size="medium"
      form={form}
      submitLabel="Save"
      isDisabled={kind.savesOnlyValid && !isValid}
      onSubmit={async (values) => {
        await save.mutateAsync({ values })
        onClose()
      }}
      onCancel={onBack}
      cancelLabel={onBack ? 'Back' : undefined}
    >
      <ResourceFields kind={kind} isNew readOnly={false} />
    </FormDialog>
  )
}

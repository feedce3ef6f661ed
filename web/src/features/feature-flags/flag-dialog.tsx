import { useQuery } from '@tanstack/react-query'
import { type FieldErrors, type ResolverResult, useForm } from 'react-hook-form'
import { Dialog } from '@/ui/dialog.tsx'
import { ComboboxField, TextField } from '@/ui/form/basic-fields.tsx'
import { FormDialog } from '@/ui/form/form-dialog.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { type StoredFlag, storedFlagQuery, useRemoveFlag, useSaveFlag } from './feature-flags.queries.ts'
import { effectOf, knownFlags } from './flag-effect.ts'

interface Values {
  name: string
  value: string
}

interface Props {
  /** Name and value of the flag to edit; null makes a new one. */
  flag: Values | null
  onClose: () => void
}

/** Creates, changes or removes one flag. What is stored decides which, so it is looked up first. */
export function FlagDialog({ flag, onClose }: Props) {
  const { data: stored = null, isPending } = useQuery({
    ...storedFlagQuery(flag?.name ?? '', flag?.value ?? ''),
    enabled: flag !== null,
  })
  if (flag === null || !isPending) return <FlagForm flag={flag} stored={stored} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title="Edit feature flag" size="very-small">
      <SkeletonLines lines={4} className="min-h-44" />
    </Dialog>
  )
}

const incomplete = { type: 'required', message: 'please provide all details' }

function complete({ name, value }: Values): ResolverResult<Values> {
  const errors: FieldErrors<Values> = {}
  if (name.trim() === '') errors.name = incomplete
  if (value.trim() === '') errors.value = incomplete
  if (errors.name || errors.value) return { values: {}, errors }
  return { values: { name: name.trim(), value: value.trim() }, errors: {} }
}

const names = knownFlags.map(({ name, feature }) => ({ value: name, label: name, hint: feature }))

function FlagForm({ flag, stored, onClose }: Props & { stored: StoredFlag | null }) {
  const form = useForm<Values>({
    defaultValues: { name: flag?.name ?? '', value: flag?.value ?? 'true' },
    resolver: complete,
  })
  const save = useSaveFlag()
  const remove = useRemoveFlag()
  const known = stored?.created_at ? stored : null
  const [name, value] = form.watch(['name', 'value'])
  const effect = effectOf(name.trim(), value.trim())
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="very-small"
      title={flag ? 'Edit feature flag' : 'Add feature flag'}
      form={form}
      onSubmit={async (values) => {
        await save.mutateAsync({ ...values, stored: known })
        onClose()
      }}
      submitLabel={known ? 'Update' : 'Save'}
      onDelete={known ? () => remove.mutateAsync(known.name).then(onClose) : undefined}
      deleteTitle={`Delete ${flag?.name}?`}
      deleteText="What it switched off comes back for everybody at once."
    >
      {known ? (
        <TextField name="name" label="Name" readOnly />
      ) : (
        <ComboboxField name="name" label="Name" options={names} creatable required placeholder="incidents.disable" />
      )}
      <TextField name="value" label="Value" required />
      <p className="min-h-5 text-sm text-muted">{effect}</p>
    </FormDialog>
  )
}

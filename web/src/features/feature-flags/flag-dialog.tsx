import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { Dialog, DialogClose } from '@/ui/dialog.tsx'
import { Input } from '@/ui/input.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { storedFlagQuery, useRemoveFlag, useSaveFlag } from './feature-flags.queries.ts'
import { effectOf, knownFlagNames } from './flag-effect.ts'

interface Props {
  /** Name and value of the flag to edit; null makes a new one. */
  flag: { name: string; value: string } | null
  onClose: () => void
}

/** Creates, changes or removes one flag. */
export function FlagDialog({ flag, onClose }: Props) {
  const form = useId()
  const { data: stored, isPending } = useQuery({
    ...storedFlagQuery(flag?.name ?? '', flag?.value ?? ''),
    enabled: flag !== null,
  })
  const save = useSaveFlag()
  const remove = useRemoveFlag()
  const [asking, setAsking] = useState(false)
  const loading = flag !== null && isPending
  const known = stored?.created_at ? stored : null

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissable={false}
      size="very-small"
      title={flag ? 'Edit feature flag' : 'Add feature flag'}
      footer={
        <>
          {known && (
            <Button
              variant="ghost"
              icon={Trash2}
              onClick={() => setAsking(true)}
              className="mr-auto text-bad-text hover:text-bad-text"
            >
              Delete
            </Button>
          )}
          <DialogClose render={<Button>Cancel</Button>} />
          <Button type="submit" form={form} variant="primary" loading={save.isPending} disabled={loading}>
            {known ? 'Update' : 'Save'}
          </Button>
        </>
      }
    >
      {loading ? (
        <SkeletonLines lines={4} className="min-h-36" />
      ) : (
        <FlagForm
          id={form}
          flag={flag}
          nameLocked={known !== null}
          onSubmit={(name, value) => save.mutate({ name, value, stored: known }, { onSuccess: onClose })}
        />
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete ${flag?.name}?`}
        confirmLabel="Delete flag"
        onConfirm={() => remove.mutateAsync(flag!.name).then(onClose)}
      >
        What it switched off comes back for everybody at once.
      </ConfirmDialog>
    </Dialog>
  )
}

interface FormProps {
  id: string
  flag: { name: string; value: string } | null
  nameLocked: boolean
  onSubmit: (name: string, value: string) => void
}

function FlagForm({ id, flag, nameLocked, onSubmit }: FormProps) {
  const [name, setName] = useState(flag?.name ?? '')
  const [value, setValue] = useState(flag?.value ?? 'true')
  const [incomplete, setIncomplete] = useState(false)
  const effect = effectOf(name.trim(), value.trim())

  function submit(event: FormEvent) {
    event.preventDefault()
    const complete = name.trim() !== '' && value.trim() !== ''
    setIncomplete(!complete)
    if (complete) onSubmit(name.trim(), value.trim())
  }

  return (
    <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <label className="flex flex-col gap-1.5 text-sm font-medium">
        Name
        <Input
          value={name}
          onChange={(event) => setName(event.target.value)}
          readOnly={nameLocked}
          list={nameLocked ? undefined : `${id}-names`}
          aria-invalid={(incomplete && name.trim() === '') || undefined}
          autoFocus={!nameLocked}
          autoComplete="off"
          spellCheck={false}
          placeholder="incidents.disable"
          className={nameLocked ? 'bg-sunken font-mono font-normal text-muted' : 'font-mono font-normal'}
        />
      </label>
      <datalist id={`${id}-names`}>
        {knownFlagNames.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <label className="flex flex-col gap-1.5 text-sm font-medium">
        Value
        <Input
          value={value}
          onChange={(event) => setValue(event.target.value)}
          aria-invalid={(incomplete && value.trim() === '') || undefined}
          autoFocus={nameLocked}
          autoComplete="off"
          spellCheck={false}
          className="font-mono font-normal"
        />
      </label>
      <div className="min-h-5 text-sm">
        {incomplete ? (
          <p role="alert" className="text-bad-text">
            please provide all details
          </p>
        ) : (
          effect && <p className="text-muted">Effect: {effect}</p>
        )}
      </div>
    </form>
  )
}

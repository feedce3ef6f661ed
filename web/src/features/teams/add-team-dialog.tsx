import { useForm } from 'react-hook-form'
import { FormDialog } from '@/ui/form/form-dialog.tsx'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { teamFields, valuesOf } from './team-form.ts'
import { type TeamValues, useSaveTeam } from './teams.queries.ts'

const fields = teamFields({ isNew: true, readOnly: false })

export function AddTeamDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<TeamValues>({ defaultValues: { name: '', icon: '', spec: {} } })
  const save = useSaveTeam()
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add Team"
      form={form}
      submitLabel="Save"
      onSubmit={async (values) => {
        await save.mutateAsync(valuesOf(values))
        onClose()
      }}
    >
      <FormFields fields={fields} columns={2} />
    </FormDialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { from } from '@/api/data-api.ts'
import { peopleQuery } from '@/entities/people.ts'
import { MultiField } from '@/ui/form/basic-fields.tsx'
import { FormDialog } from '@/ui/form/form-dialog.tsx'
import { type Team, teamKeys, useAddMembers } from './teams.queries.ts'

/** Adds people to a team. Choosing nobody is fine and does nothing. */
export function AddMembersDialog({ team, onClose }: { team: Pick<Team, 'id' | 'name'>; onClose: () => void }) {
  const { data: people } = useQuery(peopleQuery())
  const { data: members } = useQuery({
    queryKey: [...teamKeys.all, 'member-ids', team.id],
    queryFn: ({ signal }) =>
      from<{ person_id: string }>('team_members').eq('team_id', team.id).select('person_id').rows({ signal }),
    staleTime: 0,
  })
  const form = useForm<{ people: string[] }>({ defaultValues: { people: [] } })
  const add = useAddMembers(team.id)
  const present = new Set(members?.map(({ person_id: id }) => id))
  const options =
    members &&
    people
      ?.filter(({ id }) => !present.has(id))
      .map(({ id, name, email }) => ({ value: id, label: name || email || id, hint: name ? email : undefined }))
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="very-small"
      title="Add users to the team"
      form={form}
      submitLabel="Add"
      onSubmit={async ({ people: chosen }) => {
        const added = people?.filter(({ id }) => chosen.includes(id)) ?? []
        if (added.length > 0) await add.mutateAsync(added)
        onClose()
      }}
    >
      <MultiField name="people" label="Users" options={options} placeholder="Select users" />
    </FormDialog>
  )
}

import { type Role, roles } from '@quarterdeck/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { type FieldErrors, type ResolverResult, useForm } from 'react-hook-form'
import { peopleQuery } from '@/entities/people.ts'
import { ComboboxField, SelectField } from '@/ui/form/basic-fields.tsx'
import { FormDialog } from '@/ui/form/form-dialog.tsx'
import { toOptions } from '@/ui/option.ts'
import { cutName } from './users.filters.ts'
import { type User, useSetRoles } from './users.queries.ts'

interface Values {
  user: string
  role: Role | ''
}

export function checkRole(values: Values): ResolverResult<Values> {
  const errors: FieldErrors<Values> = {}
  if (!values.user) errors.user = { type: 'validate', message: 'Please select any user' }
  if (!values.role) errors.role = { type: 'validate', message: 'Please select any role' }
  return errors.user || errors.role ? { values: {}, errors } : { values, errors: {} }
}

/** Gives somebody a role; opened from a line of the table, the person is chosen already. */
export function RoleDialog({ user, onClose }: { user?: User; onClose: () => void }) {
  const { data: people } = useQuery(peopleQuery())
  const form = useForm<Values>({ defaultValues: { user: user?.id ?? '', role: '' }, resolver: checkRole })
  const setRoles = useSetRoles()
  const options = people?.map(({ id, name, email }) => ({
    value: id,
    label: cutName(name || email || id),
    hint: email === name ? undefined : email,
  }))
  const selected = user && { value: user.id, label: cutName(user.name) }
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="very-small"
      title="Add Role to User"
      description="The role takes the place of those the person has now."
      form={form}
      submitLabel="Save"
      onSubmit={async ({ user: id, role }) => {
        const person = people?.find((each) => each.id === id)
        await setRoles.mutateAsync({ id, name: person?.name || user?.name || '', roles: [role] })
        onClose()
      }}
    >
      <ComboboxField
        name="user"
        label="User"
        options={options}
        selected={selected}
        placeholder="Select a user"
        required
      />
      <SelectField name="role" label="Role" options={toOptions(roles)} placeholder="Select a role" required />
    </FormDialog>
  )
}

import { type Role, roles } from '@quarterdeck/contract/permissions'
import { useState } from 'react'
import { type FieldErrors, type ResolverResult, useForm } from 'react-hook-form'
import { SelectField, TextField } from '@/ui/form/basic-fields.tsx'
import { FormDialog } from '@/ui/form/form-dialog.tsx'
import { toOptions } from '@/ui/option.ts'
import { LinkDialog } from './link-dialog.tsx'
import { useInvite } from './users.queries.ts'

interface Values {
  firstName: string
  lastName: string
  email: string
  role: Role | ''
}

const simpleEmail = /^\S+@\S+\.\S+$/

/** The rules of an invitation, in the words of the product. */
export function checkInvitation(entered: Values): ResolverResult<Values> {
  const values = {
    ...entered,
    firstName: entered.firstName.trim(),
    lastName: entered.lastName.trim(),
    email: entered.email.trim(),
  }
  const errors: FieldErrors<Values> = {}
  const refuse = (name: keyof Values, message: string) => (errors[name] = { type: 'validate', message })
  if (values.firstName === '') refuse('firstName', 'Please provide valid first name')
  if (values.lastName === '') refuse('lastName', 'Please provide valid last name')
  if (values.email === '') refuse('email', 'Please provide valid email')
  else if (!simpleEmail.test(values.email)) refuse('email', 'Entered value does not match email format')
  if (values.role === '') refuse('role', 'Please select any role')
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} }
}

/** Invites somebody with a role. Without a mail server the link to hand over is shown, once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<Values>({
    defaultValues: { firstName: '', lastName: '', email: '', role: '' },
    resolver: checkInvitation,
  })
  const invite = useInvite()
  const [link, setLink] = useState<{ url: string; name: string }>()
  if (link) return <LinkDialog {...link} isInvitation onClose={onClose} />
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="very-small"
      title="Invite User"
      form={form}
      submitLabel="Invite"
      onSubmit={async ({ role, ...person }) => {
        if (role === '') return
        const answer = await invite.mutateAsync({ ...person, role })
        if (answer.link) setLink({ url: answer.link, name: `${person.firstName} ${person.lastName}` })
        else onClose()
      }}
    >
      <TextField name="firstName" label="First name" required />
      <TextField name="lastName" label="Last name" required />
      <TextField name="email" label="Email" type="email" required />
      <SelectField name="role" label="Role" options={toOptions(roles)} placeholder="Select a role" required />
    </FormDialog>
  )
}

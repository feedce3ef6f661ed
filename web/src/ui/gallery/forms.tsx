import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { Button } from '../button.tsx'
import {
  checkbox,
  choice,
  cpu,
  defaultsOf,
  duration,
  envVar,
  icon,
  labels,
  list,
  map,
  many,
  memory,
  multiline,
  number,
  port,
  schedule,
  section,
  secret,
  spec,
  tags,
  text,
  toggle,
} from '../form/declare.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import { FormFields } from '../form/form-fields.tsx'
import { FormActions, FormError } from '../form/form-parts.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { Icon } from '../icons/icon.tsx'
import { iconNames } from '../icons/resolve.ts'
import { Block } from './block.tsx'

const sftp = [
  text('name', { required: true }),
  icon('icon'),
  text('host', { required: true, placeholder: 'sftp.example.com' }),
  port('port', 22),
  secret('username'),
  secret('password', { required: true }),
  toggle('insecure_tls', { label: 'Skip TLS verification' }),
]

const everything = [
  text('title', { required: true, hint: 'Shown in lists' }),
  number('threshold', { min: 0, unit: 'ms' }),
  choice('method', ['GET', 'POST', 'PUT', 'DELETE'], { default: 'GET' }),
  many('codes', ['200', '201', '204', '301', '404']),
  schedule('schedule', { required: true }),
  duration('timeout'),
  memory('memory'),
  cpu('cpu'),
  multiline('description'),
  tags('tags'),
  map('headers', { keyLabel: 'Header' }),
  list('exclude', { itemLabel: 'Pattern' }),
  labels('labels'),
  section('Access', [
    envVar('auth.username', { plain: true }),
    envVar('auth.password'),
    checkbox('auth.ntlm', { label: 'NTLM' }),
    text('auth.domain', { when: (v) => v.auth?.ntlm === true }),
  ]),
  spec('spec', { size: 'small' }),
]

export function Forms() {
  const [isOpen, setOpen] = useState(new URLSearchParams(location.search).has('dialog'))
  const dialog = useForm({ defaultValues: defaultsOf(sftp) })
  const form = useForm({
    defaultValues: defaultsOf(everything, {
      labels: { team: 'core' },
      spec: { replicas: 3 },
      headers: { Accept: 'application/json' },
    }),
  })
  const { submit, error, isBusy } = useSubmit(form, async () => {
    await new Promise((done) => setTimeout(done, 500))
    throw new Error('duplicate key value violates unique constraint "connections_name_key"')
  })
  return (
    <>
      <Block title="Dialog">
        <Button onClick={() => setOpen(true)}>Add SFTP connection</Button>
        <FormDialog
          open={isOpen}
          onOpenChange={setOpen}
          title="Add SFTP"
          form={dialog}
          onSubmit={() => setOpen(false)}
          onDelete={() => setOpen(false)}
          deleteTitle="Delete connection?"
        >
          <FormFields fields={sftp} columns={2} />
        </FormDialog>
      </Block>
      <Block title="All fields">
        <FormProvider {...form}>
          <form
            noValidate
            onSubmit={submit}
            className="flex max-w-3xl flex-col gap-4 rounded-lg border border-line bg-surface p-5"
          >
            <FormError error={error} />
            <FormFields fields={everything} columns={2} />
            <div className="flex items-center gap-2 border-t border-line pt-4">
              <FormActions
                isBusy={isBusy}
                submitLabel="Update"
                onCancel={() => form.reset()}
                onDelete={() => undefined}
              />
            </div>
          </form>
        </FormProvider>
      </Block>
      <Block title="Icons">
        <div className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-2 text-xs">
          {iconNames.map((name) => (
            <span key={name} className="flex items-center gap-2">
              <Icon name={name} size={18} /> {name}
            </span>
          ))}
          {['Kubernetes::Pod', 'AWS::EC2::Instance', 'Zebra'].map((name) => (
            <span key={name} className="flex items-center gap-2">
              <Icon name={name} size={18} /> {name}
            </span>
          ))}
        </div>
      </Block>
    </>
  )
}

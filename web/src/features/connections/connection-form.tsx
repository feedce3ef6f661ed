import { columnsOf, secretPlaces, valuesOf } from '@quarterdeck/contract/connections/form'
import { common } from '@quarterdeck/contract/connections/fields'
import { connectionKind } from '@quarterdeck/contract/connections/index'
import type { ConnectionKind } from '@quarterdeck/contract/connections/kind'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useMemo } from 'react'
import { useForm } from 'react-hook-form'
import { useCan } from '@/api/access.tsx'
import { useEditConflict } from '@/entities/edit-conflict-dialog.tsx'
import { Button } from '@/ui/button.tsx'
import { isManagedElsewhere } from '@/ui/form/declare.ts'
import { FormDrawer } from '@/ui/form/form-drawer.tsx'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { MiddleText } from '@/ui/middle-text.tsx'
import { TypeIcon } from './connection-columns.tsx'
import { type FormValues, formFields } from './connection-fields.tsx'
import {
  type Connection,
  type ConnectionInput,
  connectionKeys,
  usageQuery,
  useDeleteConnection,
  useSaveConnection,
} from './connections.queries.ts'
import { TestConnection } from './test-dialog.tsx'
import { Usage } from './usage.tsx'

/** A type nobody declared, written by other means, is shown with the fields that most have. */
const kindOf = (type: string): ConnectionKind =>
  connectionKind(type) ?? { type, label: type, category: 'web', fields: common({ url: { required: false } }) }

const inputOf = (
  kind: ConnectionKind,
  { name, namespace, values }: FormValues,
  stored?: Connection,
): ConnectionInput => ({
  name: name.trim(),
  namespace: namespace.trim(),
  type: kind.type,
  ...columnsOf(kind, values, stored),
})

function Heading({ kind, name }: { kind: ConnectionKind; name?: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2 text-base font-semibold">
      <TypeIcon type={kind.type} size={18} />
      <MiddleText text={name ?? `Add ${kind.label}`} tail={16} />
      {name && <span className="shrink-0 text-sm font-normal text-muted">{kind.label}</span>}
    </span>
  )
}

/** Second step of a new connection. */
export function NewConnection({ type, onBack, onClose }: { type: string; onBack: () => void; onClose: () => void }) {
  const kind = kindOf(type)
  const form = useForm<FormValues>({ defaultValues: { name: '', namespace: 'default', values: valuesOf(kind) } })
  const fields = useMemo(() => formFields(kind), [kind])
  const save = useSaveConnection()
  return (
    <FormDrawer
      title={`Add ${kind.label}`}
      header={<Heading kind={kind} />}
      onClose={onClose}
      form={form}
      submitLabel="Save"
      onCancel={onBack}
      cancelLabel="Back"
      onSubmit={async (values) => {
        await save.mutateAsync({ values: inputOf(kind, values) })
        onClose()
      }}
    >
      {kind.about && <p className="text-sm text-muted">{kind.about}</p>}
      <FormFields fields={fields} columns={2} />
    </FormDrawer>
  )
}

/** A stored connection: changed, tried, deleted. */
export function EditConnection({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const kind = useMemo(() => kindOf(connection.type), [connection.type])
  const isElsewhere = isManagedElsewhere(connection.source)
  const canWrite = useCan('write', 'connections')
  const isEditable = canWrite && !isElsewhere
  const { name, namespace, id } = connection
  const form = useForm<FormValues>({ defaultValues: { name, namespace, values: valuesOf(kind, connection) } })
  const fields = useMemo(() => formFields(kind, { readOnly: !isEditable, isNew: false }), [kind, isEditable])
  const save = useSaveConnection()
  const remove = useDeleteConnection()
  const queries = useQueryClient()
  const { data: usage } = useQuery(usageQuery(id))
  const conflict = useEditConflict(connection, {
    name,
    secret: [...secretPlaces(kind)].map((place) => place.split('.')[0]!),
    onReload: () => queries.refetchQueries({ queryKey: connectionKeys.detail(id) }),
  })
  const test = canWrite && <TestConnection id={id} isDirty={form.formState.isDirty} />
  return (
    <>
      <FormDrawer
        title={name}
        header={<Heading kind={kind} name={name} />}
        onClose={onClose}
        form={form}
        submitLabel="Update"
        canSubmit={isEditable}
        onSubmit={async (values) => {
          const saved = await conflict.save((over) => save.mutateAsync({ values: inputOf(kind, values, over), over }))
          if (saved) onClose()
          return saved
        }}
        onDelete={async () => {
          await remove.mutateAsync(id)
          onClose()
        }}
        deleteTitle={`Delete ${name}?`}
        deleteText={
          usage && usage.used_by.length > 0
            ? `It is used by ${usage.used_by.length === 1 ? 'one thing' : `${usage.used_by.length} things`}, listed below the form, and cannot be deleted before they let go of it.`
            : 'Whatever names it by hand will no longer find it.'
        }
        extra={test}
        footer={
          <>
            {test}
            <Button className="ml-auto" onClick={onClose}>
              Close
            </Button>
          </>
        }
      >
        {isElsewhere && (
          <p className="flex items-center gap-2 rounded-md bg-sunken px-3 py-2 text-sm text-muted">
            <Lock size={14} aria-hidden className="shrink-0" />
            <span className="min-w-0 break-words">Defined in {connection.source}; change it there.</span>
          </p>
        )}
        <FormFields fields={fields} columns={2} />
        {kind.test && canWrite && <p className="text-sm text-muted">Test: {kind.test}</p>}
        <Usage id={id} />
      </FormDrawer>
      {conflict.dialog}
    </>
  )
}

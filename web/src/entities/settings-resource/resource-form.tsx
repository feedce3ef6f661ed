import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { useAccess, useCan } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { isObject } from '@/lib/is-object.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { isManagedElsewhere } from '@/ui/form/declare.ts'
import { FormPage } from '@/ui/form/form-page.tsx'
import { useEditConflict } from '../edit-conflict-dialog.tsx'
import { agentIdOf } from '../people.ts'
import { Uses } from '../resource-uses.tsx'
import { ResourceFields } from './resource-fields.tsx'
import { keyOf, nameOf, type ResourceKind, type ResourceValues, type StoredResource } from './resource-kind.ts'
import { aboutQuery, type ResourceAbout, useDeleteResource, useSaveResource } from './resource.queries.ts'

/** The form of a stored definition: Update and Delete for who may, words about who else may otherwise. */
export function ResourceForm({
  kind,
  stored,
  back,
  onReload,
  extra,
}: {
  kind: ResourceKind
  stored: StoredResource
  back: string
  onReload: () => unknown
  /** Buttons beside Delete. */
  extra?: ReactNode
}) {
  const navigate = useNavigate()
  const canWrite = useCan('write', kind.resource)
  const about = useAbout(kind, stored)
  const owner = ownerOf(kind, stored, about?.file)
  const isEditable = canWrite && !owner
  const [start] = useState(() => kind.valuesOf(stored))
  const form = useForm<ResourceValues>({ defaultValues: start, mode: kind.savesOnlyValid ? 'onChange' : 'onSubmit' })
  const save = useSaveResource(kind)
  const remove = useDeleteResource(kind)
  const conflict = useEditConflict(stored, { name: nameOf(kind, stored), onReload })
  const blocks = about?.uses.some((use) => use.blocks)
  return (
    <>
      <FormPage
        form={form}
        canSubmit={isEditable}
        submitLabel="Update"
        isDisabled={kind.savesOnlyValid && !form.formState.isValid}
        onSubmit={async (values) => {
          const saved = await conflict.save((over) => save.mutateAsync({ values, over }))
          if (saved) await navigate(back)
          return saved
        }}
        onDelete={async () => {
          await remove.mutateAsync(stored)
          await navigate(back)
        }}
        deleteTitle={`Delete ${nameOf(kind, stored)}?`}
        deleteText={
          <>
            {about && <Uses uses={about.uses} />}
            {!blocks && <p>{kind.deleteText}</p>}
          </>
        }
        extra={extra}
        className="mx-auto w-full max-w-5xl"
      >
        {owner && (
          <p className="flex items-center gap-2 rounded-md bg-sunken px-3 py-2 text-sm text-muted">
            <Lock size={14} aria-hidden className="shrink-0" />
            <span className="min-w-0 break-words">{owner}</span>
          </p>
        )}
        <ResourceFields kind={kind} isNew={false} readOnly={!isEditable} />
        {!isEditable && isObject(start.spec) && Object.keys(start.spec).length === 0 && (
          <EmptyState title="No details found" />
        )}
      </FormPage>
      {conflict.dialog}
    </>
  )
}

function useAbout(kind: ResourceKind, stored: StoredResource): ResourceAbout | undefined {
  const isOurs = useAccess().capabilities.version !== ''
  return useQuery({ ...aboutQuery(kind, keyOf(kind, stored)), enabled: isOurs }).data
}

/** Why it cannot be changed here, or undefined when it can. */
function ownerOf(kind: ResourceKind, { source, agent_id: agent }: StoredResource, file?: string | null): ReactNode {
  const agentId = agentIdOf(agent)
  if (agentId)
    return (
      <>
        This {kind.noun} belongs to <Link to={paths.agent(agentId)}>an agent</Link>; change it there.
      </>
    )
  if (file) return `Defined in the file ${file}; change it there.`
  return isManagedElsewhere(source) ? `Defined in ${source}; change it there.` : undefined
}

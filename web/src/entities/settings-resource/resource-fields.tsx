import { Info } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { useAccess } from '@/api/access.tsx'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import type { FormState, ResourceKind } from './resource-kind.ts'

/** The form of a kind, inside a form. */
export function ResourceFields({ kind, isNew, readOnly }: FormState & { kind: ResourceKind }) {
  const fields = useMemo(() => kind.fields({ isNew, readOnly }), [kind, isNew, readOnly])
  const { Form } = kind
  return (
    <>
      <EngineNote kind={kind} />
      {Form ? (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <Form isNew={isNew} readOnly={readOnly} />
        </Suspense>
      ) : (
        <FormFields fields={fields} columns={2} />
      )}
    </>
  )
}

/** So that nobody waits for something to happen. Servers that do not say what they have are taken to have it. */
function EngineNote({ kind }: { kind: ResourceKind }) {
  const { version, areas } = useAccess().capabilities
  if (!kind.engine || version === '' || areas.includes(kind.engine)) return null
  return (
    <p className="flex items-center gap-2 rounded-md bg-sunken px-3 py-2 text-sm text-muted">
      <Info size={14} aria-hidden className="shrink-0" />
      The engine of this area has not landed yet: a {kind.noun} is checked and saved, and nothing runs it.
    </p>
  )
}

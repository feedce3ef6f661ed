import { Suspense, useMemo } from 'react'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import type { FormState, ResourceKind } from './resource-kind.ts'

/** The form of a kind, inside a form. */
export function ResourceFields({ kind, isNew, readOnly }: FormState & { kind: ResourceKind }) {
  const fields = useMemo(() => kind.fields({ isNew, readOnly }), [kind, isNew, readOnly])
  const { Form } = kind
  if (!Form) return <FormFields fields={fields} columns={2} />
  return (
    <Suspense fallback={<SkeletonLines lines={6} />}>
      <Form isNew={isNew} readOnly={readOnly} />
    </Suspense>
  )
}

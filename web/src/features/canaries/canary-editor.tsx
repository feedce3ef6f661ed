import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { labels, schedule, text } from '@/ui/form/declare.ts'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { SpecForm } from '@/ui/form/spec-form.tsx'
import { type CanaryValues, checksOf, followingName } from './canary-form.ts'

interface CanaryEditorProps {
  /** Name and namespace are settled once it is saved. */
  isNew?: boolean
  /** Written elsewhere, or nobody's to change. */
  readOnly?: boolean
}

/** The fields of a canary inside a form: what it is called, when it runs, and its checks as forms or as YAML. */
export function CanaryEditor({ isNew = false, readOnly = false }: CanaryEditorProps) {
  useSharedName(isNew)
  return (
    <>
      <FormFields
        columns={2}
        fields={[
          text('name', { required: true, readOnly: readOnly || !isNew }),
          text('namespace', { required: true, readOnly: readOnly || !isNew }),
          schedule('spec.schedule', { label: 'Schedule', list: 'resource', readOnly }),
          labels('labels', { readOnly }),
        ]}
      />
      <SpecForm noun="Check" parts={checksOf} schema="/api/schemas/canary.spec.schema.json" readOnly={readOnly} />
    </>
  )
}

/** The only check of a new canary is called like it, until it gets a name of its own. */
function useSharedName(isNew: boolean): void {
  const { watch, setValue, getValues } = useFormContext<CanaryValues>()
  const name = watch('name')
  const last = useRef(name)
  useEffect(() => {
    const path = isNew && last.current !== name && followingName(getValues('spec'), last.current)
    last.current = name
    if (path) setValue(path as 'spec', name as never)
  }, [isNew, name, getValues, setValue])
}

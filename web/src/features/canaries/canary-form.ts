import { partsOf, type Spec, type SpecPart, withoutEmptyFields as withoutEmpty } from '@/ui/form/spec-parts.ts'
import { type CheckKind, kinds } from './kinds/all.ts'

export interface CanaryValues {
  name: string
  namespace: string
  labels: Record<string, string>
  spec: Spec
}

const withForm = kinds.filter((kind) => kind.fields)

/** Every check of a spec, with the form for its kind when there is one. */
export const checksOf = (spec: Spec): SpecPart<CheckKind>[] => partsOf(spec, withForm)

/** What is saved of a form. */
export const withoutEmptyFields = (values: CanaryValues): CanaryValues => ({
  ...values,
  name: values.name.trim(),
  namespace: values.namespace.trim(),
  spec: withoutEmpty(values.spec, checksOf, ['schedule']),
})

export function startValues(kind: CheckKind): CanaryValues {
  return { name: '', namespace: 'default', labels: {}, spec: structuredClone(kind.start) }
}

/** Where the name of the only check is, for as long as it bears the name of its canary or none. */
export function followingName(spec: Spec, canaryName: string): string | undefined {
  const [only, ...others] = checksOf(spec)
  if (!only || others.length > 0) return undefined
  return only.name === '' || only.name === canaryName ? `spec.${only.path}.name` : undefined
}

import { isObject } from '@/lib/is-object.ts'
import { namesOf, partsOf, type Spec, type SpecPart, withoutEmptyFields as withoutEmpty } from '@/ui/form/spec-parts.ts'
import { kinds, type ScraperKind } from './kinds/all.ts'
import { retention } from './kinds/kind.ts'

export interface ScraperValues {
  /** Of a stored one. */
  id?: string
  name: string
  source: string
  spec: Spec
}

/** What tells sources of one kind apart, most telling first. */
const telling = ['clusterName', 'name', 'repository', 'organization', 'subscriptionID', 'url', 'connection', 'type']

/** Every source of a spec. */
export const sourcesOf = (spec: Spec): SpecPart<ScraperKind>[] => partsOf(spec, kinds, telling)

/** The kinds of source a spec holds, by what people call them. */
export const kindLabels = (spec: Spec): string[] => [
  ...new Set(sourcesOf(spec).map((place) => place.kind?.label ?? place.key)),
]

/** The icon of what a spec reads first. */
export const iconOfSpec = (spec: unknown): string | undefined =>
  isObject(spec) ? sourcesOf(spec).find((place) => place.kind)?.kind?.icon : undefined

/** What is saved of a form. */
export const withoutEmptyFields = (spec: Spec): Spec =>
  withoutEmpty(spec, sourcesOf, [...namesOf([retention]), 'schedule'])

export function startValues(kind: ScraperKind): ScraperValues {
  return { name: '', source: 'UI', spec: structuredClone(kind.start) }
}

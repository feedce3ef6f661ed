import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import type { ScrapedItem } from '../kind.ts'
import { blank, isTelling } from '../telling.ts'

type Raw = Record<string, unknown>

/** Thrown for what is no state file, in words for people. */
export class NoState extends Error {
  override name = 'NoState'
}

/** A state file as an item; what it keeps secret is blanked. */
export function itemOfState(text: string, path: string): Omit<ScrapedItem, 'name'> {
  let state: Raw
  try {
    state = record(JSON.parse(text))
  } catch {
    throw new NoState('the file is not JSON')
  }
  const lineage = word(state.lineage)
  if (!lineage || !Array.isArray(state.resources)) {
    const old = typeof state.version === 'number' && state.version < 4 ? ` (version ${state.version} is too old)` : ''
    throw new NoState(`the file is not a Terraform state${old}`)
  }
  const related = new Set<string>()
  for (const resource of records(state.resources)) {
    for (const instance of records(resource.instances)) {
      for (const id of idsOf(record(instance.attributes))) related.add(id)
      blankInstance(instance)
    }
  }
  for (const output of Object.values(record(state.outputs)).map(record))
    if (output.sensitive === true) output.value = blank
  return {
    id: lineage,
    type: 'Terraform::Module',
    source: path,
    config: state,
    relationships: [...related].map((id) => ({ to: { externalId: id }, relation: 'TerraformResource' })),
  }
}

/** Ids that mean the same thing everywhere; a name such as `default` would lead to strangers. */
const telling = /^(arn:[^:]+:|\/subscriptions\/|[a-z]+-[0-9a-f]{8,17}$|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$)/i
const idsOf = (attributes: Raw): string[] =>
  ['arn', 'id'].map((name) => word(attributes[name])).filter((id) => telling.test(id))

function blankInstance(instance: Raw): void {
  const attributes = record(instance.attributes)
  for (const path of Array.isArray(instance.sensitive_attributes) ? (instance.sensitive_attributes as unknown[]) : [])
    blankAt(attributes, stepsOf(path))
  blankTelling(attributes, 0)
  // What a provider keeps for itself means nothing to anybody else.
  delete instance.private
}

/** `[{type: get_attr, value: "password"}, {type: index, value: {value: 0}}]` */
const stepsOf = (path: unknown): string[] =>
  records(path).map(({ value }) => (typeof value === 'object' ? String(record(value).value) : String(value)))

function blankAt(holder: Raw, steps: readonly string[]): void {
  let at: Raw = holder
  for (const step of steps.slice(0, -1)) {
    if (typeof at[step] !== 'object' || at[step] === null) return
    at = at[step] as Raw
  }
  const last = steps.at(-1)
  if (last !== undefined && Object.hasOwn(at, last) && at[last] !== null) at[last] = blank
}

const deepest = 50

/** Providers of old do not say what is secret; the names do. */
function blankTelling(value: Raw, depth: number): void {
  if (depth > deepest) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && inner !== '' && isTelling(name)) value[name] = blank
    else if (typeof inner === 'object' && inner !== null) blankTelling(inner as Raw, depth + 1)
  }
}

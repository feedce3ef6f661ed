import { type KubernetesObject, record, word } from '../../../../platform/kubernetes/object.ts'

const prefix = 'config-db.flanksource.com/'

/** What the people of a cluster say about an object to whoever reads it. */
export interface Wishes {
  /** Nothing of it is to be stored. */
  ignore: boolean
  ignoreChanges: string[]
  ignoreSeverities: string[]
  tags: Record<string, string>
}

export function wishesOf(object: KubernetesObject): Wishes {
  const annotations = record(record(object.metadata).annotations)
  const text = (name: string) => word(annotations[`${prefix}${name}`])
  const ignore = text('ignore').trim()
  return {
    ignore: ignore === 'true' || ignore === '*',
    ignoreChanges: list(text('ignore-changes')),
    ignoreSeverities: list(text('ignore-change-severity')),
    tags: pairs(text('tags')),
  }
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** `team=blue,stage=live` */
function pairs(text: string): Record<string, string> {
  const found: [string, string][] = list(text).flatMap((pair) => {
    const at = pair.search(/[=:]/)
    return at > 0 ? [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]] : []
  })
  return Object.fromEntries(found.filter(([name]) => name !== '__proto__'))
}

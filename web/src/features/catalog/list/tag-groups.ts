import { type Sign, splitTag, type TriState } from '@quarterdeck/contract/tri-state'

export interface TagGroup {
  key: string
  values: string[]
  sign: Sign
}

/** Chosen tags by their key; values of one key are alternatives and share their sign. */
export function tagSelectorGroups(tags: TriState): TagGroup[] {
  const groups = new Map<string, TagGroup>()
  for (const [tag, sign] of Object.entries(tags)) {
    const [key, value] = splitTag(tag)
    const group = groups.get(key)
    if (group) group.values.push(value)
    else groups.set(key, { key, values: [value], sign })
  }
  return [...groups.values()]
}

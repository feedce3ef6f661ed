import { type Codec, labelPairs, list, searchParams, sorting, text, triState } from '@/lib/search-params.ts'

/** Provider first, then type: how the catalog opens. */
export const defaultGroups: readonly string[] = ['config_class', 'type']

const groups = list(defaultGroups)
/** An address that asks for no group at all means the usual ones. */
const groupBy: Codec<readonly string[]> = {
  ...groups,
  read: (get, name) => {
    const read = groups.read(get, name)
    return read.length > 0 ? read : defaultGroups
  },
}

/** Everything /catalog keeps in its address. */
export const catalogFilters = searchParams({
  configType: text('', { dropAll: true }),
  labels: labelPairs(),
  search: text(''),
  status: triState(),
  health: triState(),
  tags: triState(),
  groupBy,
  sort: sorting({ id: 'type', desc: false }),
})
export type CatalogFilters = ReturnType<typeof catalogFilters.read>

/** A type, labels or a text ask for items; everything else narrows the summary. */
export const isFlat = ({ configType, labels, search }: CatalogFilters): boolean =>
  configType !== '' || search !== '' || Object.keys(labels).length > 0

const tagSuffix = '__tag'

/** `namespace__tag` → `namespace`; undefined for what is no tag. */
export const tagOf = (group: string): string | undefined =>
  group.endsWith(tagSuffix) ? group.slice(0, -tagSuffix.length) : undefined

export const groupOfTag = (tag: string): string => tag + tagSuffix

import { useStored } from '@/lib/storage.ts'

type Choice = 'yes' | 'no'

function useChoice(key: string): [isOn: boolean, set: (isOn: boolean) => void] {
  const [stored, store] = useStored<Choice>(key, 'yes')
  return [stored !== 'no', (isOn) => store(isOn ? 'yes' : 'no')]
}

/** Deleted items are left out of the catalog. */
export const useHideDeleted = () => useChoice('hideDeletedConfigs')

/** Changes of deleted items are left out of lists of changes. */
export const useHideDeletedChanges = () => useChoice('hideDeletedConfigChanges')

const none: string[] = []

/** Types pinned to the top of the catalog, on this device. */
export function useFavourites(): [types: readonly string[], toggle: (type: string) => void] {
  const [types, store] = useStored<string[]>('quarterdeck.catalog.favourites', none)
  const known = Array.isArray(types) ? types : none
  return [known, (type) => store(known.includes(type) ? known.filter((other) => other !== type) : [...known, type])]
}

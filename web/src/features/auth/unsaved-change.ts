import { readStored, writeStored } from '@/lib/storage.ts'

const key = 'quarterdeck.unsaved-change'

/** A change that needs a fresh session is not saved; the form comes back empty once the session is fresh. */
export const noteUnsavedChange = () => writeStored(key, true, 'session')

/** Whether such a change is still to be made, once. */
export function takeUnsavedChange(): boolean {
  const isNoted = readStored<boolean>(key, 'session') === true
  if (isNoted) writeStored(key, undefined, 'session')
  return isNoted
}

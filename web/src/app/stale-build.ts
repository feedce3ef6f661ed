import { readStored, writeStored } from '@/lib/storage.ts'

const key = 'quarterdeck.reloaded'
const span = 60_000

/** Whether the server can serve; false also when it cannot be reached. */
export const isServerReady = () =>
  fetch('/readyz', { cache: 'no-store' }).then(
    (answer) => answer.ok,
    () => false,
  )

/** Loads the page anew from a server that is there, and not again and again: what is still missing then stays missing. */
export async function reloadOnce() {
  const last = readStored<number>(key, 'session') ?? 0
  if (Date.now() - last < span || !(await isServerReady())) return
  writeStored(key, Date.now(), 'session')
  window.location.reload()
}

/** A tab that was open over an update asks for files that are gone; loading the page once more brings the new ones. */
export function reloadOnceWhenStale() {
  window.addEventListener('vite:preloadError', () => void reloadOnce())
}

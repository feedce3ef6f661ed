import { readStored, writeStored } from '@/lib/storage.ts'

const key = 'quarterdeck.reloaded'
const span = 60_000

/** A tab that was open over an update asks for files that are gone; loading the page once more brings the new ones. */
export function reloadOnceWhenStale() {
  window.addEventListener('vite:preloadError', (event) => {
    const last = readStored<number>(key, 'session') ?? 0
    if (Date.now() - last < span) return
    writeStored(key, Date.now(), 'session')
    event.preventDefault()
    window.location.reload()
  })
}

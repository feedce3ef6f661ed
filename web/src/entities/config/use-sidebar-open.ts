import { useCallback, useEffect, useRef } from 'react'
import { useStored } from '@/lib/storage.ts'

/** What opens above the page takes Esc for itself, and a click in it is not one beside the panel. */
const above = '[role=dialog],[role=menu],[role=listbox],.popup,.cm-search'

/** Whether the details of an item are shown; Esc and a click beside them put them away. Remembered on this device. */
export function useSidebarOpen() {
  // On a narrow window they would lie over the page, so there they wait to be asked for.
  const [isOpen, store] = useStored('quarterdeck.catalog.details', window.innerWidth >= 1024)
  const panel = useRef<HTMLElement>(null)
  const open = useCallback(() => store(true), [store])
  const close = useCallback(() => store(false), [store])
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent) => {
      // A dialog or search box that is open takes the key for itself.
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector(above)) return
      close()
    }
    // Not before the click is over: the page grows when the panel goes, and what was pressed would move away.
    const onClick = (event: MouseEvent) => {
      const target = event.target
      if (!(target instanceof Element) || !document.getElementById('main')?.contains(target)) return
      if (panel.current?.contains(target) || target.closest(above)) return
      close()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('click', onClick)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('click', onClick)
    }
  }, [isOpen, close])
  return { isOpen, open, close, panel }
}

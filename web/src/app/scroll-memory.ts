import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { readStored, writeStored } from '@/lib/storage.ts'

const key = 'quarterdeck.scroll'
const most = 50
// Rows come from the network: the place to return to may not exist for a moment.
const patience = 3_000

const positions = new Map<string, number>(readStored<[string, number][]>(key, 'session') ?? [])

function remember(location: string, top: number) {
  positions.delete(location)
  if (top > 0) positions.set(location, top)
  if (positions.size > most) positions.delete(positions.keys().next().value!)
}

/** Back and forward return to where the page was scrolled to; a new page begins at its top. */
export function useScrollMemory(element: React.RefObject<HTMLElement | null>) {
  const location = useLocation()
  const navigation = useNavigationType()
  const pathname = useRef(location.pathname)
  const hasArrived = useRef(false)

  useEffect(() => {
    const save = () => writeStored(key, [...positions], 'session')
    window.addEventListener('pagehide', save)
    return () => window.removeEventListener('pagehide', save)
  }, [])

  useEffect(() => {
    const scroller = element.current
    if (!scroller) return
    const onScroll = () => remember(location.key, scroller.scrollTop)
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => scroller.removeEventListener('scroll', onScroll)
  }, [element, location.key])

  useLayoutEffect(() => {
    const scroller = element.current
    const samePage = pathname.current === location.pathname
    pathname.current = location.pathname
    if (!scroller) return
    const wanted = navigation === 'POP' ? (positions.get(location.key) ?? 0) : 0
    // A filter that changes the address must not throw the reader to the top.
    if (navigation !== 'POP' && samePage) return
    // What was just drawn is at its top; touching it would lay out the page an extra time.
    const isNew = !hasArrived.current
    hasArrived.current = true
    if (isNew && wanted === 0) return
    scroller.scrollTop = wanted
    if (scroller.scrollTop >= wanted) return
    const grown = new ResizeObserver(() => {
      scroller.scrollTop = wanted
      if (scroller.scrollTop >= wanted) stop()
    })
    const timer = setTimeout(stop, patience)
    function stop() {
      grown.disconnect()
      clearTimeout(timer)
      for (const name of ['wheel', 'touchstart', 'keydown']) window.removeEventListener(name, stop)
    }
    for (const child of scroller.children) grown.observe(child)
    for (const name of ['wheel', 'touchstart', 'keydown']) window.addEventListener(name, stop, { passive: true })
    return stop
  }, [element, location.key, location.pathname, navigation])
}

import { type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { type Location, UNSAFE_DataRouterContext as DataRouter, useBlocker } from 'react-router'
import { DiscardDialog } from './form-parts.tsx'

export interface LeaveGuard {
  /** Goes, after asking when something would be lost. */
  leave: (go: () => void) => void
  /** Wraps what makes the input worthless, such as deleting: nothing is asked while and after it runs. */
  freely: <Args extends unknown[]>(act: (...args: Args) => unknown) => (...args: Args) => Promise<void>
  /** The question; it goes beside the form. */
  dialog: ReactNode
}

/** Asks before unsaved input is lost: by closing the form, by going elsewhere in the console, by leaving the console. */
export function useLeaveGuard(isDirty: boolean): LeaveGuard {
  const hasRouter = useContext(DataRouter) !== null
  const [going, setGoing] = useState<() => void>()
  const isFree = useRef(false)
  useEffect(() => {
    // The same form may be opened again.
    if (!isDirty) isFree.current = false
  }, [isDirty])
  return {
    leave: (go) => (isDirty && !isFree.current ? setGoing(() => go) : go()),
    freely:
      (act) =>
      async (...args) => {
        isFree.current = true
        try {
          await act(...args)
        } catch (error) {
          isFree.current = false
          throw error
        }
      },
    dialog: (
      <>
        <DiscardDialog
          open={going !== undefined}
          onKeep={() => setGoing(undefined)}
          onDiscard={() => {
            isFree.current = true
            setGoing(undefined)
            going?.()
          }}
        />
        {isDirty && hasRouter && <NavigationGuard isFree={isFree} />}
      </>
    ),
  }
}

/** What a place shows: its page, and what the address says is open on it. Tabs and filters of a page are no other place. */
function openAt({ pathname, search }: Location): string {
  const query = new URLSearchParams(search)
  return JSON.stringify([pathname, query.get('id'), query.get('add')])
}

/** There only while something is unsaved: the router asks one guard at a time, the one that came last. */
function NavigationGuard({ isFree }: { isFree: RefObject<boolean> }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => !isFree.current && openAt(currentLocation) !== openAt(nextLocation),
  )
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => !isFree.current && event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isFree])
  return (
    <DiscardDialog
      open={blocker.state === 'blocked'}
      onKeep={() => blocker.reset?.()}
      onDiscard={() => blocker.proceed?.()}
    />
  )
}

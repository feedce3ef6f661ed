import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLiveState } from '../live-updates.ts'
import { Hint } from './hint.tsx'

// A server that restarts is back before this; telling about it would only worry people.
const patience = 3_000

/** Says when changes do not arrive by themselves; silent otherwise. */
export function LiveIndicator() {
  const down = useLiveState() === 'reconnecting'
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (!down) return setShown(false)
    const timer = setTimeout(() => setShown(true), patience)
    return () => clearTimeout(timer)
  }, [down])
  return (
    <div role="status">
      {shown && (
        <Hint content="Changes do not arrive by themselves right now. The page is read again every 30 seconds.">
          <span className="flex h-6 items-center gap-1.5 rounded-sm bg-warn-soft px-2 text-xs font-medium text-warn-text">
            <WifiOff size={13} aria-hidden />
            <span className="max-md:sr-only">Reconnecting…</span>
          </span>
        </Hint>
      )}
    </div>
  )
}

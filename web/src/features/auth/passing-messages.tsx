import { useEffect, useLayoutEffect, useState } from 'react'
import { Link } from 'react-router'
import { cn } from '@/lib/cn.ts'
import { buttonClass } from '@/ui/button.tsx'
import { FlowMessages } from './flow-messages.tsx'
import { type Flow, stepOf } from './flows.ts'
import { safeReturnTo } from './return-to.ts'
import { useRound } from './use-round.ts'

/** How long the answer to a change stays on the page. */
const messageTime = 10_000

/**
 * The answer to the last change; it has been read after ten seconds and would otherwise look like news next time. It
 * floats, because the button that was pressed may be far from the top, and nothing should jump when it comes and goes.
 */
export function PassingMessages({ flow }: { flow: Flow }) {
  const [passed, setPassed] = useState<Flow>()
  const round = useRound(flow)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(flow), messageTime)
    return () => clearTimeout(timer)
  }, [flow])
  const next = stepOf(flow, 'redirect_browser_to')?.redirect_browser_to
  const messages = passed === flow ? [] : (flow.ui.messages ?? [])
  const isShown = messages.length > 0 || typeof next === 'string'
  useRoomAbove(isShown)
  if (!isShown) return null
  return (
    <div
      className={cn(
        'popup fixed inset-x-4 top-3 z-10 mx-auto flex animate-enter flex-wrap items-center gap-3 p-3',
        messages.length > 0 ? 'max-w-2xl' : 'w-fit',
      )}
    >
      <FlowMessages key={round} messages={messages} boxed className="min-w-60 flex-1" />
      {typeof next === 'string' && (
        <Link to={safeReturnTo(next)} className={`${buttonClass({ variant: 'primary' })} ml-auto`}>
          Continue to Quarterdeck
        </Link>
      )}
    </div>
  )
}

/** Whoever moves the focus to something above must not find it under what floats there. */
function useRoomAbove(isTaken: boolean) {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    style.scrollPaddingTop = isTaken ? '8rem' : ''
    return () => void (style.scrollPaddingTop = '')
  }, [isTaken])
}

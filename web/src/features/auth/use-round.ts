import { useState } from 'react'
import type { Flow } from './flows.ts'

/** The number of the answer that is shown: what a reader should hear again, though the words are the same, is keyed by it. */
export function useRound(flow: Flow): number {
  const [shown, setShown] = useState({ flow, round: 0 })
  if (shown.flow === flow) return shown.round
  setShown({ flow, round: shown.round + 1 })
  return shown.round + 1
}

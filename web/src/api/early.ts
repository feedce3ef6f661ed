/** Answers that public/early.js asked for while the code of the console was loading, by their address. */
interface Early {
  answer: Promise<Response>
  stop: () => void
}
declare global {
  interface Window {
    quarterdeckEarly?: Record<string, Early>
  }
}

/** The answer that is on its way already. Only once: who asks again wants a newer one. */
export function takeEarly(address: string, signal: AbortSignal): Promise<Response> | undefined {
  const early = window.quarterdeckEarly?.[address]
  if (!early) return undefined
  delete window.quarterdeckEarly![address]
  if (signal.aborted) early.stop()
  else signal.addEventListener('abort', early.stop, { once: true })
  return early.answer
}

/** Gives up what nobody took: later it would be an old answer. */
export function dropEarly(): void {
  for (const { stop } of Object.values(window.quarterdeckEarly ?? {})) stop()
  delete window.quarterdeckEarly
}

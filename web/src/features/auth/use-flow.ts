import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError, hasStatus } from '@/api/errors.ts'
import { report } from '@/api/report.ts'
import { withQuery } from '@/app/paths.ts'
import { toast } from '@/ui/toast.tsx'
import { type Reaction, reactionTo } from './flow-reactions.ts'
import {
  createFlow,
  errorIdOf,
  type Flow,
  type FlowKind,
  type FlowStart,
  type FlowValues,
  getFlow,
  isFlow,
  submitFlow,
} from './flows.ts'
import { noteUnsavedChange } from './unsaved-change.ts'

type State = { status: 'loading' } | { status: 'ready'; flow: Flow } | { status: 'failed'; error: unknown }

export interface FlowScreen {
  state: State
  /** Name and value of the button that was pressed, while its answer is awaited. */
  pressed: string | null
  submit(values: FlowValues, pressed: string): void
}

interface Options {
  kind: FlowKind
  /** Where the screen begins: its path without the flow. */
  path: string
  start: FlowStart
  /** Called with the answer of a successful submission that is not a form; forms are simply shown. */
  onDone?: (answer: unknown, flow: Flow) => void
}

// A creation that keeps failing with "restart" would go round in circles.
const mostRestarts = 2

/** How a screen reacts to not getting its flow, where it differs from the general table. */
function loadReaction(kind: FlowKind, step: 'get' | 'create', error: unknown): Reaction | undefined {
  if (step === 'get' && kind === 'login') return { kind: 'restart' }
  if (kind !== 'verification') return undefined
  if (step === 'get' && hasStatus(error, 403, 410)) return { kind: 'restart' }
  return step === 'create' && hasStatus(error, 400) ? { kind: 'go', to: '/' } : undefined
}

/** What a flow was begun for: it says so itself, or the page that began it did. */
const purposeOf = ({ returnTo, refresh, aal }: FlowStart, flow?: Flow): FlowStart => ({
  returnTo: flow?.return_to ?? returnTo,
  refresh: refresh || flow?.refresh === true,
  aal: aal ?? (flow?.requested_aal === 'aal2' ? 'aal2' : undefined),
})

/** The life of one self-service flow: fetched or begun, shown, submitted, replaced by the answer. */
export function useFlow({ kind, path, start, onDone }: Options): FlowScreen {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const [state, setState] = useState<State>({ status: 'loading' })
  // What each new beginning on this page is for; a flow knows that also when the address does not say it.
  const [restarts, setRestarts] = useState<FlowStart[]>([])
  const round = restarts.length
  const [pressed, setPressed] = useState<string | null>(null)
  const busy = useRef(false)
  // A flow that could not be used is not asked for again, though the address may name it for a moment longer.
  const given = round === 0 ? search.get('flow') : null
  const { returnTo, refresh, aal } = restarts.at(-1) ?? start

  const react = useCallback(
    (reaction: Reaction, flow?: Flow) => {
      switch (reaction.kind) {
        case 'show':
          return setState({ status: 'ready', flow: reaction.flow })
        case 'restart': {
          const again = purposeOf({ returnTo, refresh, aal }, flow)
          if (reaction.toast) toast.error(reaction.toast)
          setState({ status: 'loading' })
          setRestarts((before) => [...before, again])
          const query = { return_to: again.returnTo, refresh: again.refresh || undefined, aal: again.aal }
          return void navigate(withQuery(path, query), { replace: true })
        }
        case 'go':
          return void navigate(reaction.to, { replace: true })
        case 'leave':
          return window.location.assign(reaction.href)
        case 'raise':
          return setState({ status: 'failed', error: reaction.error })
      }
    },
    [navigate, path, returnTo, refresh, aal],
  )

  useEffect(() => {
    const stop = new AbortController()
    const step = given ? 'get' : 'create'
    const load =
      step === 'get' ? getFlow(kind, given!, stop.signal) : createFlow(kind, { returnTo, refresh, aal }, stop.signal)
    load.then(
      (flow) => !stop.signal.aborted && setState({ status: 'ready', flow }),
      (error: unknown) => {
        if (stop.signal.aborted) return
        const place = { kind, here: window.location.pathname + window.location.search }
        const reaction = loadReaction(kind, step, error) ?? reactionTo(error, place)
        react(reaction.kind === 'restart' && round >= mostRestarts ? { kind: 'raise', error } : reaction)
      },
    )
    return () => stop.abort()
  }, [kind, given, round, returnTo, refresh, aal, react])

  async function submit(values: FlowValues, button: string) {
    if (busy.current || state.status !== 'ready') return
    busy.current = true
    setPressed(button)
    try {
      const answer = await submitFlow(kind, state.flow.id, values)
      if (isFlow(answer)) setState({ status: 'ready', flow: answer })
      else onDone?.(answer, state.flow)
    } catch (error) {
      const reaction = reactionTo(error, { kind, here: window.location.pathname + window.location.search })
      if (error instanceof ApiError && errorIdOf(error.body) === 'session_refresh_required') noteUnsavedChange()
      // What a person typed stays: a failure that says nothing about the form is told beside it.
      if (reaction.kind === 'raise') report(reaction.error)
      else react(reaction, state.flow)
    } finally {
      busy.current = false
      setPressed(null)
    }
  }

  return { state, pressed, submit: (values, button) => void submit(values, button) }
}

import { type FormEvent, useEffect, useMemo, useRef } from 'react'
import { cn } from '@/lib/cn.ts'
import { FlowMessages } from './flow-messages.tsx'
import { FlowNode } from './flow-node.tsx'
import { type Flow, type FlowValues, isRemoval, type UiNode } from './flows.ts'
import { useRound } from './use-round.ts'

export interface FlowFormProps {
  flow: Flow
  /** Only nodes of this group, and the fields every submission needs. */
  group?: UiNode['group']
  pressed: string | null
  submit: (values: FlowValues, pressed: string) => void
  /** Messages of the flow, when this form is the one to show them. */
  messages?: boolean
  autoFocus?: boolean
  className?: string
}

/** Values of a form by node name: text as typed, hidden values untouched, a checkbox as a boolean, and the pressed button. */
export function valuesOf(form: HTMLFormElement, nodes: readonly UiNode[], button: HTMLElement | null): FlowValues {
  const data = new FormData(form)
  const values: FlowValues = {}
  for (const { attributes } of nodes) {
    const name = attributes.name
    if (attributes.node_type !== 'input' || typeof name !== 'string' || name === '') continue
    if (attributes.type === 'checkbox') values[name] = data.has(name)
    else if (attributes.type !== 'submit' && attributes.type !== 'button') {
      const value = data.get(name)
      if (typeof value === 'string') values[name] = value
    }
  }
  if (button instanceof HTMLButtonElement && button.name !== '') values[button.name] = button.value
  return values
}

const isEmptyField = ({ attributes }: UiNode) =>
  attributes.node_type === 'input' &&
  !['hidden', 'checkbox', 'button', 'submit'].includes(String(attributes.type)) &&
  (attributes.value === undefined || attributes.value === '')

const isInput = (node: UiNode, ...types: string[]) =>
  node.attributes.node_type === 'input' && types.includes(String(node.attributes.type))
const isHidden = (node: UiNode) => isInput(node, 'hidden')
const isMainButton = (node: UiNode) => isInput(node, 'submit', 'button') && node.group !== 'oidc' && !isRemoval(node)

/** Nodes by group, in the order of the flow; each method keeps its fields and its button together. */
function partsOf(nodes: readonly UiNode[]) {
  return [...new Set(nodes.map((node) => node.group))].map((group) => {
    const own = nodes.filter((node) => node.group === group)
    return {
      group,
      nodes: own,
      hidden: own.every((node) => isHidden(node) || node.attributes.node_type === 'script'),
      submits: own.some((node) => isInput(node, 'submit')),
    }
  })
}

function Or() {
  return (
    <p className="flex items-center gap-3 text-xs text-subtle before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  )
}

const hasError = (flow: Flow, nodes: readonly UiNode[]) =>
  [flow.ui.messages ?? [], ...nodes.map((node) => node.messages)].flat().some(({ type }) => type === 'error')

/**
 * Once the answer to this form is there: what was refused gets the focus, what was taken is emptied. Without it a new
 * password would stay in its field, and the keyboard would be nowhere, since waiting disables the button it was on.
 */
function useAfterAnswer(flow: Flow, nodes: readonly UiNode[], isWaiting: boolean) {
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef<{ flow: Flow; button: HTMLElement | null }>(undefined)
  useEffect(() => {
    const last = sent.current
    if (isWaiting || !last || !form.current) return
    sent.current = undefined
    const find = (selector: string) => form.current?.querySelector<HTMLInputElement>(selector)
    // Without an answer the form stays as it is.
    const isAnswered = last.flow !== flow
    if (isAnswered && hasError(flow, nodes)) {
      const field = find('input[aria-invalid=true]') ?? find('input[type=password]')
      field?.focus()
      field?.select()
    } else if (isAnswered) form.current.reset()
    if (document.activeElement === document.body && last.button?.isConnected) last.button.focus()
  }, [flow, nodes, isWaiting])
  return { form, sent }
}

/** A form drawn from the nodes of a flow. All rules and messages are the server's. */
export function FlowForm({ flow, group, pressed, submit, messages, autoFocus, className }: FlowFormProps) {
  const nodes = useMemo(
    () => flow.ui.nodes.filter((node) => !group || node.group === 'default' || node.group === group),
    [flow, group],
  )
  const parts = useMemo(() => partsOf(nodes), [nodes])
  const round = useRound(flow)
  const { form, sent } = useAfterAnswer(flow, nodes, pressed !== null)
  const first = autoFocus ? nodes.find(isEmptyField) : undefined
  const main = nodes.find(isMainButton)

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // Nobody pressed a button when a script sends the form, as the one of security keys does; then none counts.
    const { submitter: button } = event.nativeEvent as SubmitEvent
    const values = valuesOf(event.currentTarget, nodes, button)
    sent.current = { flow, button }
    submit(values, button instanceof HTMLButtonElement ? `${button.name}=${button.value}` : '')
  }

  return (
    <form
      ref={form}
      noValidate
      // Scripts of another identity service send the form past us; it must arrive all the same.
      action={flow.ui.action}
      method={flow.ui.method}
      onSubmit={onSubmit}
      className={cn('flex flex-col gap-4', className)}
    >
      {messages && <FlowMessages key={round} messages={flow.ui.messages} boxed />}
      {parts.map((part, index) => (
        <div key={part.group} data-group={part.group} className={cn('flex flex-col gap-4', part.hidden && 'hidden')}>
          {parts.slice(0, index).some((before) => before.submits) && part.submits && <Or />}
          {part.nodes.map((node, at) => (
            <FlowNode
              // A script may have written into a hidden field; the next answer brings a new one.
              key={`${String(node.attributes.name ?? node.attributes.id ?? '')}-${at}${isHidden(node) ? `-${round}` : ''}`}
              node={node}
              pressed={pressed}
              isMain={node === main}
              autoFocus={node === first}
            />
          ))}
        </div>
      ))}
    </form>
  )
}

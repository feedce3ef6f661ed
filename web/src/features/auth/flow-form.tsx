import { type FormEvent, useMemo } from 'react'
import { cn } from '@/lib/cn.ts'
import { FlowMessages, FlowNode } from './flow-node.tsx'
import type { Flow, FlowValues, UiNode } from './flows.ts'

export interface FlowFormProps {
  flow: Flow
  /** Only nodes of these groups; the fields every submission needs are always among them. */
  groups?: readonly UiNode['group'][]
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

/** A form drawn from the nodes of a flow. All rules and messages are the server's. */
export function FlowForm({ flow, groups, pressed, submit, messages, autoFocus, className }: FlowFormProps) {
  const nodes = useMemo(
    () => flow.ui.nodes.filter((node) => node.group === 'default' || !groups || groups.includes(node.group)),
    [flow, groups],
  )
  const parts = useMemo(() => partsOf(nodes), [nodes])
  const first = autoFocus ? nodes.find(isEmptyField) : undefined

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // Nobody pressed a button when a script sends the form, as the one of security keys does; then none counts.
    const { submitter: button } = event.nativeEvent as SubmitEvent
    const values = valuesOf(event.currentTarget, nodes, button)
    submit(values, button instanceof HTMLButtonElement ? `${button.name}=${button.value}` : '')
  }

  return (
    <form
      noValidate
      // Scripts of another identity service send the form past us; it must arrive all the same.
      action={flow.ui.action}
      method={flow.ui.method}
      onSubmit={onSubmit}
      className={cn('flex flex-col gap-4', className)}
    >
      {messages && <FlowMessages messages={flow.ui.messages} />}
      {parts.map((part, index) => (
        <div key={part.group} data-group={part.group} className={cn('flex flex-col gap-4', part.hidden && 'hidden')}>
          {parts.slice(0, index).some((before) => before.submits) && part.submits && <Or />}
          {part.nodes.map((node, at) => (
            <FlowNode
              key={`${String(node.attributes.name ?? node.attributes.id ?? '')}-${at}`}
              node={node}
              pressed={pressed}
              autoFocus={node === first}
            />
          ))}
        </div>
      ))}
    </form>
  )
}

import { useEffect, useId, useState } from 'react'
import { report } from '@/api/report.ts'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Checkbox } from '@/ui/checkbox.tsx'
import { FlowMessages } from './flow-messages.tsx'
import { isUiText, labelOf, text, type UiNode } from './flows.ts'
import { runTrigger } from './node-trigger.ts'
import { TextInputNode } from './text-input-node.tsx'
import { TextNode } from './text-node.tsx'

interface NodeProps {
  node: UiNode
  /** `name=value` of the button whose answer is awaited. */
  pressed: string | null
  /** The one button of a form that most people want. */
  isMain?: boolean
  autoFocus?: boolean
}

/** One node of a flow, whatever its kind. */
export function FlowNode(props: NodeProps) {
  const { node } = props
  switch (node.attributes.node_type) {
    case 'input':
      return <InputNode {...props} />
    case 'img':
      return <ImageNode node={node} />
    case 'a':
      return <AnchorNode node={node} />
    case 'text':
      return <TextNode node={node} />
    case 'script':
      return <ScriptNode node={node} />
    default:
      return null
  }
}

async function trigger(attributes: UiNode['attributes']) {
  try {
    await runTrigger(attributes)
  } catch (error) {
    report(error)
  }
}

function InputNode({ node, pressed, isMain, autoFocus }: NodeProps) {
  const { attributes } = node
  const name = text(attributes.name) ?? ''
  const value = text(attributes.value)
  const disabled = attributes.disabled === true
  switch (attributes.type) {
    case 'hidden':
      return <input type="hidden" name={name} value={text(attributes.value) ?? ''} />
    case 'checkbox':
      return <CheckboxNode node={node} name={name} disabled={disabled} />
    case 'button':
      return (
        <Button
          name={name}
          value={value}
          variant={isMain ? 'primary' : 'secondary'}
          disabled={disabled || pressed !== null}
          onClick={() => void trigger(attributes)}
          className="h-9"
        >
          {labelOf(node) ?? value ?? name}
        </Button>
      )
    case 'submit':
      return (
        <>
          <Button
            type="submit"
            name={name}
            value={value}
            variant={isMain ? 'primary' : 'secondary'}
            disabled={disabled || (pressed !== null && pressed !== `${name}=${value}`)}
            loading={pressed === `${name}=${value}`}
            onClick={() => void trigger(attributes)}
            className="h-9"
          >
            {labelOf(node) ?? value ?? name}
          </Button>
          <FlowMessages messages={node.messages} className="-mt-2" />
        </>
      )
    default:
      return <TextInputNode node={node} name={name} autoFocus={autoFocus} disabled={disabled} />
  }
}

function CheckboxNode({ node, name, disabled }: { node: UiNode; name: string; disabled: boolean }) {
  const messages = useId()
  const [checked, setChecked] = useState(node.attributes.value === true || node.attributes.value === 'true')
  return (
    <div>
      <Checkbox
        name={name}
        checked={checked}
        onCheckedChange={setChecked}
        disabled={disabled}
        label={labelOf(node) ?? name}
        aria-describedby={node.messages.length > 0 ? messages : undefined}
      />
      <FlowMessages id={messages} messages={node.messages} className="mt-1" />
    </div>
  )
}

function ImageNode({ node: { attributes, ...node } }: { node: UiNode }) {
  return (
    <img
      id={text(attributes.id)}
      src={text(attributes.src)}
      width={Number(attributes.width) || undefined}
      height={Number(attributes.height) || undefined}
      alt={node.meta.label?.text ?? 'Image to scan'}
      className="max-w-full self-start rounded-md bg-white p-2"
    />
  )
}

function AnchorNode({ node }: { node: UiNode }) {
  const { id, href, title } = node.attributes
  return (
    <a id={text(id)} href={text(href)} className={buttonClass()}>
      {isUiText(title) ? title.text : (labelOf(node) ?? text(href))}
    </a>
  )
}

const scriptAttributes = ['src', 'async', 'crossorigin', 'integrity', 'referrerpolicy', 'type', 'nonce', 'id'] as const

function ScriptNode({ node: { attributes } }: { node: UiNode }) {
  const src = text(attributes.src)
  useEffect(() => {
    if (!src) return
    const script = document.createElement('script')
    for (const name of scriptAttributes) {
      const value = attributes[name]
      if (typeof value === 'string' && value !== '') script.setAttribute(name, value)
      else if (value === true) script.setAttribute(name, '')
    }
    document.body.append(script)
    return () => script.remove()
    // The attributes belong to the source; a re-render with the same one must not load it again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [src])
  return null
}

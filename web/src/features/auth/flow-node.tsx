import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { Eye, EyeOff } from 'lucide-react'
import { report } from '@/api/report.ts'
import { cn } from '@/lib/cn.ts'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Checkbox } from '@/ui/checkbox.tsx'
import { Input } from '@/ui/input.tsx'
import { runTrigger } from './node-trigger.ts'
import type { UiNode, UiText } from './flows.ts'

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)
const labelOf = (node: UiNode) => node.meta.label?.text
const isUiText = (value: unknown): value is UiText => typeof value === 'object' && value !== null && 'text' in value

/** What the identity service says about a form or a field. */
export function FlowMessages({
  messages,
  id,
  className,
}: {
  messages?: readonly UiText[]
  id?: string
  className?: string
}) {
  if (!messages || messages.length === 0) return null
  return (
    <div id={id} className={cn('flex flex-col gap-1 text-sm', className)}>
      {messages.map((message, index) => (
        <p
          key={`${message.id}-${index}`}
          role={message.type === 'error' ? 'alert' : 'status'}
          className={
            message.type === 'error' ? 'text-bad-text' : message.type === 'success' ? 'text-ok-text' : 'text-muted'
          }
        >
          {message.text}
        </p>
      ))}
    </div>
  )
}

interface NodeProps {
  node: UiNode
  /** `name=value` of the button whose answer is awaited. */
  pressed: string | null
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

function InputNode({ node, pressed, autoFocus }: NodeProps) {
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
          disabled={disabled || pressed !== null}
          onClick={() => void trigger(attributes)}
        >
          {labelOf(node) ?? value ?? name}
        </Button>
      )
    case 'submit':
      return (
        <Button
          type="submit"
          name={name}
          value={value}
          variant={node.group === 'oidc' ? 'secondary' : 'primary'}
          disabled={disabled || (pressed !== null && pressed !== `${name}=${value}`)}
          loading={pressed === `${name}=${value}`}
          onClick={() => void trigger(attributes)}
          className="h-9"
        >
          {labelOf(node) ?? value ?? name}
        </Button>
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

// Password managers look for these; the identity service does not always send them.
const completions: Record<string, string> = {
  identifier: 'username',
  password: 'current-password',
  email: 'email',
  'traits.email': 'email',
  totp_code: 'one-time-code',
  code: 'one-time-code',
}

// The browser presses the first button of a form on Enter; with several methods in one form that is often another's.
function pressOwnButton(event: KeyboardEvent<HTMLInputElement>) {
  const button = event.currentTarget.closest('[data-group]')?.querySelector<HTMLElement>('button[type=submit]')
  if (event.key !== 'Enter' || !button) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit(button)
}

interface TextInputProps {
  node: UiNode
  name: string
  autoFocus?: boolean
  disabled: boolean
}

function TextInputNode({ node, name, autoFocus, disabled }: TextInputProps) {
  const id = useId()
  const [shown, setShown] = useState(false)
  const { attributes } = node
  const secret = attributes.type === 'password'
  const wrong = node.messages.some((message) => message.type === 'error')
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {labelOf(node) ?? name}
      </label>
      <Input
        id={id}
        name={name}
        type={secret && shown ? 'text' : text(attributes.type)}
        defaultValue={text(attributes.value) ?? ''}
        autoComplete={text(attributes.autocomplete) ?? completions[name]}
        inputMode={completions[name] === 'one-time-code' ? 'numeric' : undefined}
        spellCheck={false}
        autoCapitalize="none"
        disabled={disabled}
        aria-required={attributes.required === true || undefined}
        aria-invalid={wrong || undefined}
        aria-describedby={node.messages.length > 0 ? `${id}-messages` : undefined}
        autoFocus={autoFocus}
        onKeyDown={pressOwnButton}
        className="h-9"
        suffix={
          secret && (
            <button
              type="button"
              aria-label={shown ? 'Hide password' : 'Show password'}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
              className="-mr-1 grid size-6 shrink-0 place-items-center rounded-sm text-subtle hover:text-fg"
            >
              <Icon size={15} aria-hidden />
            </button>
          )
        }
      />
      <FlowMessages id={`${id}-messages`} messages={node.messages} />
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

// The identity service marks a list of recovery codes, and each used one in it, by number.
const recoveryCodes = 1050015
const usedCode = 1050014

function TextNode({ node }: { node: UiNode }) {
  const content = isUiText(node.attributes.text) ? node.attributes.text : undefined
  const secrets: unknown = content?.id === recoveryCodes ? content.context?.secrets : undefined
  return (
    <div id={text(node.attributes.id)} className="flex flex-col gap-1.5">
      {labelOf(node) && <p className="text-sm font-medium">{labelOf(node)}</p>}
      {Array.isArray(secrets) ? (
        <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-md bg-sunken p-3 font-mono text-sm sm:grid-cols-3">
          {secrets.filter(isUiText).map((secret, index) => (
            <li key={index} className={secret.id === usedCode ? 'text-subtle line-through' : undefined}>
              {secret.id === usedCode ? 'Used' : secret.text}
            </li>
          ))}
        </ul>
      ) : (
        <code className="rounded-md bg-sunken px-3 py-2 font-mono text-sm break-all">{content?.text}</code>
      )}
    </div>
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

import { Eye, EyeOff } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { Input } from '@/ui/input.tsx'
import { FlowMessages } from './flow-messages.tsx'
import { labelOf, text, type UiNode } from './flows.ts'

// Password managers look for these; the identity service does not always send them.
const completions: Record<string, string> = {
  identifier: 'username',
  password: 'current-password',
  email: 'email',
  'traits.email': 'email',
  'traits.name.first': 'given-name',
  'traits.name.last': 'family-name',
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

interface Props {
  node: UiNode
  name: string
  autoFocus?: boolean
  disabled: boolean
}

/** Any field one types into. A password can be looked at, and says when it is being shouted. */
export function TextInputNode({ node, name, autoFocus, disabled }: Props) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
  const { attributes } = node
  const isSecret = attributes.type === 'password'
  const isWrong = node.messages.some((message) => message.type === 'error')
  const autoComplete = text(attributes.autocomplete) ?? completions[name]
  const isCode = autoComplete === 'one-time-code'
  const noticeCapsLock = (event: KeyboardEvent) => isSecret && setCapsLock(event.getModifierState('CapsLock'))
  const Icon = isShown ? EyeOff : Eye
  const described = [node.messages.length > 0 && `${id}-messages`, hasCapsLock && `${id}-caps`].filter(Boolean)
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {labelOf(node) ?? name}
      </label>
      <Input
        id={id}
        name={name}
        type={isSecret && isShown ? 'text' : text(attributes.type)}
        defaultValue={text(attributes.value) ?? ''}
        autoComplete={autoComplete}
        inputMode={isCode ? 'numeric' : undefined}
        spellCheck={false}
        autoCapitalize={autoComplete?.endsWith('-name') ? 'words' : 'none'}
        disabled={disabled}
        aria-required={attributes.required === true || undefined}
        aria-invalid={isWrong || undefined}
        aria-describedby={described.join(' ') || undefined}
        autoFocus={autoFocus}
        onKeyDown={(event) => {
          noticeCapsLock(event)
          pressOwnButton(event)
        }}
        onKeyUp={noticeCapsLock}
        onBlur={() => setCapsLock(false)}
        className="h-9"
        suffix={
          isSecret && (
            <button
              type="button"
              aria-label={isShown ? 'Hide password' : 'Show password'}
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
              className="-mr-1 grid size-6 shrink-0 place-items-center rounded-sm text-subtle hover:text-fg"
            >
              <Icon size={15} aria-hidden />
            </button>
          )
        }
      />
      {isSecret && (
        <p id={`${id}-caps`} role="status" className={hasCapsLock ? 'text-sm text-warn-text' : 'sr-only'}>
          {hasCapsLock && 'Caps Lock is on'}
        </p>
      )}
      <FlowMessages id={`${id}-messages`} messages={node.messages} />
    </div>
  )
}

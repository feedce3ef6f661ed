import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { cn } from '@/lib/cn.ts'
import type { UiText } from './flows.ts'

const looks = {
  error: { icon: CircleAlert, words: 'text-bad-text', box: 'bg-bad-soft' },
  success: { icon: CircleCheck, words: 'text-ok-text', box: 'bg-ok-soft' },
  info: { icon: Info, words: 'text-muted', box: 'bg-sunken' },
}

interface Props {
  messages?: readonly UiText[]
  id?: string
  /** For what is said about a whole form; words about a field stand plainly below it. */
  boxed?: boolean
  className?: string
}

/** What the identity service says about a form or a field. */
export function FlowMessages({ messages, id, boxed, className }: Props) {
  if (!messages || messages.length === 0) return null
  return (
    <div id={id} className={cn('flex flex-col gap-1 text-sm', className)}>
      {messages.map((message, index) => {
        const { icon: Icon, words, box } = looks[message.type] ?? looks.info
        return (
          <p
            key={`${message.id}-${index}`}
            role={message.type === 'error' ? 'alert' : 'status'}
            className={cn('text-pretty', words, boxed && `flex items-start gap-2 rounded-md px-3 py-2 ${box}`)}
          >
            {boxed && <Icon size={15} aria-hidden className="mt-0.5 shrink-0" />}
            {message.text}
          </p>
        )
      })}
    </div>
  )
}

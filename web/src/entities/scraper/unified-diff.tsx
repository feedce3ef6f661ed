/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */
import { cn } from '@/lib/cn.ts'

const toneOf = (line: string) => {
  if (/^(\+\+\+|---|@@)/.test(line)) return 'text-subtle'
  if (line.startsWith('+')) return 'bg-ok-soft'
  return line.startsWith('-') ? 'bg-bad-soft' : undefined
}

/** A difference that comes as text, line by line; the signs at the front say what the colours say. */
export function UnifiedDiff({ text }: { text: string }) {
  return (
    <pre
      tabIndex={0}
      aria-label="Difference"
      className="max-h-80 overflow-auto rounded-md bg-sunken py-1 font-mono text-xs leading-5"
    >
      {text.split('\n').map((line, i) => (
        <span key={i} className={cn('block min-w-max px-3', toneOf(line))}>
          {line === '' ? ' ' : line}
        </span>
      ))}
    </pre>
  )
}

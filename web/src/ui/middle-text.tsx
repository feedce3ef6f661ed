import { cn } from '@/lib/cn.ts'

/** Long names lose their middle, not their telling end; the full text is on hover and in the copy. */
export function MiddleText({ text, tail = 8, className }: { text: string; tail?: number; className?: string }) {
  const letters = [...text]
  if (letters.length <= tail * 2) {
    return (
      <span title={text} className={cn('block min-w-0 truncate', className)}>
        {text}
      </span>
    )
  }
  // Two halves in one line: the first gives way with an ellipsis, the last letters always stay. Whitespace at the cut
  // would collapse, so it is kept with pre.
  return (
    <span title={text} className={cn('flex min-w-0', className)}>
      <span className="truncate whitespace-pre">{letters.slice(0, -tail).join('')}</span>
      <span className="shrink-0 whitespace-pre">{letters.slice(-tail).join('')}</span>
    </span>
  )
}

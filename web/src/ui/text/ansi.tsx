/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */
import { lazy, Suspense } from 'react'
import { cn } from '@/lib/cn.ts'

const hasCodes = (text: string) => text.includes('\u001b[')

const Coloured = lazy(async () => {
  const { ansiParts } = await import('./ansi-parts.ts')
  return {
    default: ({ text }: { text: string }) => (
      <>
        {ansiParts(text).map((part, i) => (
          <span key={i} className={part.className || undefined}>
            {part.text}
          </span>
        ))}
      </>
    ),
  }
})

/** The output of a program with the colours it asked for. */
export function AnsiText({ text, className }: { text: string; className?: string }) {
  return (
    <pre
      tabIndex={0}
      className={cn('overflow-auto font-mono text-xs leading-5 whitespace-pre-wrap break-words', className)}
    >
      {hasCodes(text) ? (
        <Suspense fallback={text.replaceAll(/\u001b\[[\d;]*m/g, '')}>
          <Coloured text={text} />
        </Suspense>
      ) : (
        text
      )}
    </pre>
  )
}

import { lazy, type MouseEvent, Suspense, useMemo } from 'react'
import { cn } from '@/lib/cn.ts'

export interface MarkdownProps {
  text: string
  /** Called for every link that is clicked; prevent the event to handle it. */
  onLink?: (event: MouseEvent, href: string) => void
  /** A page of its own: headings keep their level and can be linked to. */
  isDocument?: boolean
  className?: string
}

const Rendered = lazy(async () => {
  const { renderMarkdown } = await import('./text/markdown-tree.tsx')
  return {
    default: function Rendered({ text, isDocument }: Pick<MarkdownProps, 'text' | 'isDocument'>) {
      return useMemo(() => renderMarkdown(text, { isDocument }), [text, isDocument])
    },
  }
})

/** A text written in Markdown; until its chunk arrives it is shown as it was written. */
export function Markdown({ text, onLink, isDocument, className }: MarkdownProps) {
  return (
    // Links are what is clicked; the handler only sees their events pass by.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      className={cn('markdown text-sm', className)}
      onClick={
        onLink &&
        ((event) => {
          const href = (event.target as Element).closest('a')?.getAttribute('href')
          if (href) onLink(event, href)
        })
      }
    >
      <Suspense fallback={<div className="whitespace-pre-wrap">{text}</div>}>
        <Rendered text={text} isDocument={isDocument} />
      </Suspense>
    </div>
  )
}

import DOMPurify from 'dompurify'
import { marked } from 'marked'
import { type MouseEvent, useMemo } from 'react'
import { cn } from '@/lib/cn.ts'

export interface MarkdownProps {
  text: string
  /** Called for every link that is clicked; prevent the event to handle it. */
  onLink?: (event: MouseEvent, href: string) => void
  className?: string
}

/** Markdown as safe HTML: no scripts, no styles, no forms; links to other sites open beside this one. */
function render(text: string): string {
  const html = marked.parse(text, { async: false, gfm: true })
  const clean = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'iframe', 'object', 'embed'],
    FORBID_ATTR: ['style', 'class'],
  })
  for (const link of clean.querySelectorAll('a[href^="http"]')) {
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noreferrer')
  }
  // Wide blocks scroll by themselves, also from the keyboard.
  for (const block of clean.querySelectorAll('pre')) block.setAttribute('tabindex', '0')
  const holder = document.createElement('div')
  holder.append(clean)
  return holder.innerHTML
}

/** A text written in Markdown. */
export function Markdown({ text, onLink, className }: MarkdownProps) {
  const html = useMemo(() => render(text), [text])
  return (
    // Links are what is clicked; the handler only sees their events pass by.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div
      className={cn('markdown text-sm', className)}
      onClick={(event) => {
        const link = (event.target as Element).closest('a')
        const href = link?.getAttribute('href')
        if (href) onLink?.(event, href)
      }}
      // oxlint-disable-next-line react/no-danger -- sanitized above
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

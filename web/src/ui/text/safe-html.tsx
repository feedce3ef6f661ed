/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */
import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import { cn } from '@/lib/cn.ts'
import { isSafeLink } from './safe-link.ts'

/** Elements that may stay, under the name they are drawn with. Headings must not compete with those of the page. */
const kept: Record<string, string> = {
  ...Object.fromEntries(
    (
      'p br hr b strong i em u s del ins sub sup small mark code kbd samp blockquote ul ol li dl dt dd ' +
      'table thead tbody tfoot tr th td caption span div'
    )
      .split(' ')
      .map((name) => [name, name]),
  ),
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
}
/** Elements whose content is no text for people. */
const dropped = new Set(
  'script style template noscript iframe object embed svg math head title textarea select'.split(' '),
)
const deepest = 60

/**
 * HTML of others as React elements. The text is parsed in a document without a window, where nothing loads or runs, and
 * only what is listed here is made anew: no attribute but the address of a link survives.
 */
export function renderHtml(html: string): ReactNode {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return children(body, 0)
}

/** The text of a piece of HTML, in one line. */
export function htmlToText(html: string): string {
  const { body } = new DOMParser().parseFromString(
    html.replaceAll(/<(br|\/p|\/div|\/li|\/tr|\/t[dh]|\/h\d)\b[^>]*>/gi, ' $&'),
    'text/html',
  )
  for (const element of body.querySelectorAll([...dropped].join(','))) element.remove()
  return (body.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
}

function children(parent: Node, depth: number): ReactNode[] {
  if (depth > deepest) return [parent.textContent ?? '']
  return [...parent.childNodes].map((node, i) => <Fragment key={i}>{drawn(node, depth + 1)}</Fragment>)
}

function drawn(node: Node, depth: number): ReactNode {
  if (node.nodeType === 3) return node.textContent
  if (node.nodeType !== 1) return null
  const element = node as Element
  const name = element.localName
  if (dropped.has(name)) return null
  if (name === 'a') return link(element, depth)
  if (name === 'pre')
    return (
      <pre tabIndex={0}>
        <code>{element.textContent}</code>
      </pre>
    )
  const as = Object.hasOwn(kept, name) ? kept[name]! : undefined
  if (as === 'br' || as === 'hr') return createElement(as)
  // React refuses text between the parts of a table; only white space stands there anyway.
  if (as !== undefined && /^(table|thead|tbody|tfoot|tr)$/.test(as)) dropBlanks(element)
  const inner = children(element, depth)
  return as === undefined ? inner : createElement(as, null, ...inner)
}

function dropBlanks(element: Element): void {
  const blanks = [...element.childNodes].filter((node) => node.nodeType === 3 && !node.textContent?.trim())
  for (const node of blanks) node.remove()
}

function link(element: Element, depth: number): ReactNode {
  const href = element.getAttribute('href') ?? ''
  const inner = children(element, depth)
  if (!isSafeLink(href)) return inner
  const elsewhere = /^[a-z]+:/i.test(href.trim()) && { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <a href={href} {...elsewhere}>
      {inner}
    </a>
  )
}

/** A text that somebody else wrote as HTML, without anything that could act on the page. */
export function SafeHtml({ html, className }: { html: string; className?: string }) {
  const content = useMemo(() => renderHtml(html), [html])
  return <div className={cn('markdown text-sm break-words', className)}>{content}</div>
}

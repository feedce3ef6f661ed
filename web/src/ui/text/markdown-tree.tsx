/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */
import { Fragment, type ReactNode } from 'react'
import { lexer, type Token, type Tokens } from 'marked'
import { isSafeLink } from './safe-link.ts'

/**
 * Markdown as React elements. Nothing is ever set as HTML: markup inside the text loses its tags and stays text, so no
 * description, comment or check message can bring a script, a style or a form into the console.
 */
export function renderMarkdown(text: string, { isDocument = false } = {}): ReactNode {
  // Comments keep their line breaks; documents are written with lines of any length.
  return blocks(lexer(text, { gfm: true, breaks: !isDocument }), isDocument)
}

const blocks = (tokens: readonly Token[], isDocument = false): ReactNode =>
  tokens.map((token, i) => <Fragment key={i}>{block(token, isDocument)}</Fragment>)

function block(token: Token, isDocument: boolean): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>
    case 'text':
      return token.tokens ? inline(token.tokens) : decode(token.raw)
    case 'heading': {
      // Inside a page a heading must not compete with those of the page; a document brings its own.
      const level = Math.min(6, (token as Tokens.Heading).depth + (isDocument ? 0 : 2))
      const Tag = `h${level}` as 'h1'
      return <Tag id={isDocument ? anchorOf((token as Tokens.Heading).text) : undefined}>{inline(token.tokens)}</Tag>
    }
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>
    case 'list': {
      const { ordered, start, items } = token as Tokens.List
      const entries = items.map((item, i) => (
        <li key={i} className={item.task ? 'list-none' : undefined}>
          {item.task && (
            <input
              type="checkbox"
              checked={item.checked ?? false}
              readOnly
              disabled
              aria-label={item.checked ? 'done' : 'open'}
              className="mr-1.5 -ml-4"
            />
          )}
          {blocks(item.tokens.filter((inner) => inner.type !== 'checkbox'))}
        </li>
      ))
      return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>
    }
    case 'table':
      return table(token as Tokens.Table)
    case 'hr':
      return <hr />
    case 'html':
      return withoutTags(token.raw)
    case 'space':
    case 'def':
      return null
    default:
      return inline([token])
  }
}

function table({ header, rows, align }: Tokens.Table) {
  const cell = (Tag: 'th' | 'td') => (entry: Tokens.TableCell, i: number) => (
    <Tag key={i} align={align[i] ?? undefined}>
      {inline(entry.tokens)}
    </Tag>
  )
  return (
    <table>
      <thead>
        <tr>{header.map(cell('th'))}</tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>{row.map(cell('td'))}</tr>
        ))}
      </tbody>
    </table>
  )
}

const inline = (tokens: readonly Token[] | undefined): ReactNode =>
  tokens?.map((token, i) => <Fragment key={i}>{piece(token)}</Fragment>)

function piece(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'del':
      return <del>{inline(token.tokens)}</del>
    case 'codespan':
      return <code>{decode((token as Tokens.Codespan).text)}</code>
    case 'br':
      return <br />
    case 'link': {
      const { href, title } = token as Tokens.Link
      if (!isSafeLink(href)) return inline(token.tokens)
      return (
        <a
          href={href}
          title={title ?? undefined}
          {...(/^[a-z]+:/i.test(href) && { target: '_blank', rel: 'noopener noreferrer' })}
        >
          {inline(token.tokens)}
        </a>
      )
    }
    case 'image': {
      const { href, text, title } = token as Tokens.Image
      return /^(https:\/\/|\/(?!\/))/i.test(href) ? (
        <img src={href} alt={text} title={title ?? undefined} loading="lazy" referrerPolicy="no-referrer" />
      ) : (
        text
      )
    }
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? <br /> : withoutTags(token.raw)
    case 'escape':
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token.tokens) : decode((token as Tokens.Text).text)
    default:
      return decode(token.raw)
  }
}

/** What a heading is called in addresses. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const withoutTags = (html: string) =>
  decode(html.replaceAll(/<(script|style)\b[^]*?(<\/\1\s*>|$)/gi, '').replaceAll(/<[^>]*>?/g, ''))

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' }

/** The few entities people write; React escapes what comes out again. */
const decode = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole)

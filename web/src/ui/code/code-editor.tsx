/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */
import { lazy, Suspense, useState } from 'react'
import { cn } from '@/lib/cn.ts'
import { CopyButton } from '../copy-button.tsx'
import type { SchemaObject } from './json-schema.ts'
import type { LineRange } from './lines.ts'

const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }))

export interface CodeEditorProps {
  value: string
  onChange?: (value: string) => void
  /** yaml and json are highlighted and checked; other languages are plain text. */
  language?: 'yaml' | 'json' | 'text'
  /** A JSON Schema, or the address of one, for completion, hints and checks. */
  schema?: SchemaObject | string
  readOnly?: boolean
  /** Chosen lines, e.g. from the address; with `onLinesChange` the line numbers choose. */
  lines?: LineRange
  onLinesChange?: (lines: LineRange | undefined) => void
  wrap?: boolean
  /** Hands over what a toolbar beside the editor can do with it; undefined when it goes. */
  onView?: (view: CodeView | undefined) => void
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

/** What can be done with an editor from outside. */
export interface CodeView {
  /** Opens the search line of the document and puts the cursor into it. */
  openSearch: () => void
}

/** Heights by the names that forms use. */
export const codeHeights = { 'very-small': 80, small: 160, medium: 288, large: 448, full: 640 } as const
export type CodeSize = keyof typeof codeHeights

/** An editor for YAML and JSON; until its chunk arrives the text is already shown. Resizable at its lower edge. */
export function CodeEditor({
  size = 'medium',
  className,
  ...props
}: CodeEditorProps & { size?: CodeSize; className?: string }) {
  return (
    <div
      style={{ height: codeHeights[size] }}
      data-invalid={props['aria-invalid'] ? '' : undefined}
      data-code
      className={cn(
        'control min-h-16 max-w-full resize-y overflow-hidden p-0',
        props.readOnly && 'border-line',
        className,
      )}
    >
      <Suspense fallback={<Plain text={props.value} />}>
        <Editor {...props} />
      </Suspense>
    </div>
  )
}

/** A document to read: line numbers, folding, search, chosen lines, copy. Fills its container. */
export function CodeViewer({
  className,
  copyable = true,
  ...props
}: Omit<CodeEditorProps, 'onChange' | 'readOnly' | 'schema'> & { className?: string; copyable?: boolean }) {
  return (
    <div data-code className={cn('relative h-full min-h-0 overflow-hidden bg-surface', className)}>
      <Suspense fallback={<Plain text={props.value} />}>
        <Editor {...props} readOnly />
      </Suspense>
      {copyable && <CopyButton text={props.value} className="absolute top-2 right-4 z-10 border-line bg-surface" />}
    </div>
  )
}

/** The first lines as they will stand, without colours. */
function Plain({ text }: { text: string }) {
  const [shown] = useState(() => text.slice(0, 4000))
  return (
    <pre aria-busy className="h-full overflow-hidden py-2 pl-14 font-mono text-xs leading-5 text-muted">
      {shown}
    </pre>
  )
}

/** A command or snippet to copy, without an editor. */
export function CodeBlock({ text, className }: { text: string; className?: string }) {
  return (
    <div className={cn('relative rounded-md border border-line bg-sunken', className)}>
      <pre tabIndex={0} className="overflow-x-auto p-3 pr-12 font-mono text-xs leading-5 whitespace-pre">
        {text}
      </pre>
      <CopyButton text={text} className="absolute top-1.5 right-1.5" />
    </div>
  )
}

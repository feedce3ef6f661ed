import { useCallback, useEffect, useRef, useState } from 'react'
import { CodeEditor, type CodeEditorProps, type CodeSize } from '../code/code-editor.tsx'
import { readSpec, writeSpec } from './spec-text.ts'

export interface SpecEditorProps extends Pick<
  CodeEditorProps,
  'schema' | 'readOnly' | 'id' | 'aria-label' | 'aria-invalid' | 'aria-describedby'
> {
  value: unknown
  onChange: (value: Record<string, unknown>) => void
  language?: 'yaml' | 'json'
  size?: CodeSize
}

/** Longer texts take so long to read that it waits until nobody types. */
const longText = 20_000
const pauseMs = 400

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)

/**
 * Edits an object as YAML or JSON. What cannot be read, or is no object, does not change the value; the editor marks the
 * place and says that the last readable version counts.
 */
export function SpecEditor({ value, onChange, language = 'yaml', ...props }: SpecEditorProps) {
  const [state, setState] = useState(() => ({ text: writeSpec(value, language), value, isReadable: true }))
  let { text } = state
  if (value !== state.value) {
    // Somebody else set the value: a reset, or another field that writes into it. A form also hands back copies of what
    // was typed here, and those must not rewrite the text under the hands of who types.
    const isCopy = isSame(value, state.value)
    if (!isCopy) text = writeSpec(value, language)
    setState({ text, value, isReadable: isCopy ? state.isReadable : true })
  }
  const read = (next: string) => {
    const object = readSpec(next)
    setState({ text: next, value: object ?? state.value, isReadable: object !== undefined })
    if (object) onChange(object)
  }
  const later = useLater(read)
  return (
    // Whoever saves leaves the editor first, by key or pointer.
    <div className="contents" onBlur={later.now}>
      <CodeEditor
        {...props}
        language={language}
        value={text}
        aria-invalid={props['aria-invalid'] ?? (!state.isReadable || undefined)}
        onChange={(next) => {
          if (next.length < longText) return read(next)
          setState({ ...state, text: next })
          later.in(next)
        }}
      />
      {!state.isReadable && (
        <p role="status" className="text-xs text-warn-text">
          This is not an object in YAML or JSON yet; the last readable version is kept.
        </p>
      )}
    </div>
  )
}

/** Puts off what is to be done with the newest text until a pause, or until it is asked for. */
function useLater(act: (text: string) => void) {
  const newest = useRef(act)
  useEffect(() => {
    newest.current = act
  })
  const waiting = useRef<{ text: string; timer: ReturnType<typeof setTimeout> }>(undefined)
  const now = useCallback(() => {
    const { text, timer } = waiting.current ?? {}
    if (text === undefined) return
    clearTimeout(timer)
    waiting.current = undefined
    newest.current(text)
  }, [])
  useEffect(() => now, [now])
  return {
    now,
    in: (text: string) => {
      clearTimeout(waiting.current?.timer)
      waiting.current = { text, timer: setTimeout(now, pauseMs) }
    },
  }
}

import { useState } from 'react'
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

/**
 * Edits an object as YAML or JSON. What cannot be read, or is no object, does not change the value; the editor marks the
 * place and says that the last readable version counts.
 */
export function SpecEditor({ value, onChange, language = 'yaml', ...props }: SpecEditorProps) {
  const [state, setState] = useState(() => ({ text: writeSpec(value, language), value }))
  let { text } = state
  if (value !== state.value) {
    // Somebody else set the value: a reset, or another field that writes into it. A form also hands back copies of what
    // was typed here, and those must not rewrite the text under the hands of who types.
    if (writeSpec(value, language) !== writeSpec(state.value, language)) text = writeSpec(value, language)
    setState({ text, value })
  }
  const isUnreadable = readSpec(text) === undefined
  return (
    <>
      <CodeEditor
        {...props}
        language={language}
        value={text}
        aria-invalid={props['aria-invalid'] ?? (isUnreadable || undefined)}
        onChange={(next) => {
          const object = readSpec(next)
          setState({ text: next, value: object ?? state.value })
          if (object) onChange(object)
        }}
      />
      {isUnreadable && (
        <p role="status" className="text-xs text-warn-text">
          This is not an object in YAML or JSON yet; the last readable version is kept.
        </p>
      )}
    </>
  )
}

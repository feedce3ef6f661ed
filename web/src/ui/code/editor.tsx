import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { CodeEditorProps } from './code-editor.tsx'
import { loadSchema } from './json-schema.ts'
import { codeTheme, languageOf } from './language.ts'
import { chooseLines, lineChooser } from './lines.ts'
import { schemaSupport } from './schema-support.ts'

// Making a string of a very large document on every key would be felt.
const slowFrom = 200_000

/** The editor itself, in a chunk of its own; use CodeEditor. */
export function Editor({
  value,
  onChange,
  language = 'yaml',
  schema,
  readOnly = false,
  lines,
  onLinesChange,
  wrap = false,
  onView,
  id,
  ...aria
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const parts = useRef({
    schema: new Compartment(),
    readOnly: new Compartment(),
    language: new Compartment(),
    wrap: new Compartment(),
  })
  const latest = useRef({ onChange, onLinesChange, onView })
  const known = useRef(value)
  useEffect(() => {
    latest.current = { onChange, onLinesChange, onView }
  })

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const report = (state: EditorState) => {
      known.current = state.doc.toString()
      latest.current.onChange?.(known.current)
    }
    const { current: compartments } = parts
    const created = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: known.current,
        extensions: [
          onLinesChange ? lineChooser((range) => latest.current.onLinesChange?.(range)) : lineNumbers(),
          basics,
          compartments.language.of(languageOf(language)),
          compartments.schema.of([]),
          compartments.readOnly.of(readOnlyOf(readOnly)),
          compartments.wrap.of(wrap ? EditorView.lineWrapping : []),
          // What scrolls must be reachable with the keyboard, and not every tool knows that editable text is.
          EditorView.contentAttributes.of({
            ...(id ? { id } : {}),
            ...attributes(aria),
            'aria-multiline': 'true',
            tabindex: '0',
          }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return
            clearTimeout(timer)
            if (update.state.doc.length < slowFrom) report(update.state)
            else timer = setTimeout(() => report(update.view.state), 250)
          }),
        ],
      }),
    })
    view.current = created
    const tell = latest.current.onView
    tell?.({ openSearch: () => void openSearchPanel(created) })
    return () => {
      tell?.(undefined)
      clearTimeout(timer)
      created.destroy()
    }
    // The editor is made once; everything that can change is set below.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  useEffect(() => {
    if (value === known.current) return
    known.current = value
    const current = view.current
    current?.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => set(view.current, parts.current.readOnly, readOnlyOf(readOnly)), [readOnly])
  useEffect(() => set(view.current, parts.current.language, languageOf(language)), [language])
  useEffect(() => set(view.current, parts.current.wrap, wrap ? EditorView.lineWrapping : []), [wrap])
  useEffect(() => {
    let isCurrent = true
    const use = (loaded: Parameters<typeof schemaSupport>[1]) =>
      isCurrent && set(view.current, parts.current.schema, readOnly ? [] : schemaSupport(language, loaded))
    if (typeof schema === 'string') {
      use(undefined)
      void loadSchema(schema).then(use)
    } else use(schema)
    return () => {
      isCurrent = false
    }
  }, [schema, language, readOnly])
  useEffect(() => {
    const current = view.current
    if (!current || !latest.current.onLinesChange) return
    const at = lines && lines.from <= current.state.doc.lines ? current.state.doc.line(lines.from).from : undefined
    current.dispatch({
      effects: [
        chooseLines.of(lines),
        ...(at === undefined ? [] : [EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 80 })]),
      ],
    })
  }, [lines])

  return <div ref={host} className="h-full min-h-0" />
}

const basics: Extension = [
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  foldGutter(),
  drawSelection(),
  indentOnInput(),
  indentUnit.of('  '),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  EditorState.allowMultipleSelections.of(true),
  // Esc, then Tab, leaves the editor; the library sees to that.
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
  codeTheme,
]

const readOnlyOf = (isReadOnly: boolean): Extension =>
  isReadOnly ? [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ 'aria-readonly': 'true' })] : []

const attributes = (aria: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(aria).flatMap(([key, value]) =>
      key.startsWith('aria-') && value !== undefined ? [[key, String(value)]] : [],
    ),
  )

function set(view: EditorView | undefined, part: Compartment, extension: Extension) {
  view?.dispatch({ effects: part.reconfigure(extension) })
}

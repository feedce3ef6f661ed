import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export type CodeLanguage = 'yaml' | 'json' | 'text'

/** The grammar of a language; others are shown as plain text. */
export function languageOf(name: string): Extension {
  if (name === 'yaml') return yaml()
  return name === 'json' ? json() : []
}

// All colours are variables of the theme, so light and dark need no second definition.
const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent-text)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ok-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: 'var(--warn-text)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--subtle)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--muted)' },
  { tag: [tags.labelName, tags.typeName], color: 'var(--bad-text)' },
  { tag: tags.invalid, color: 'var(--bad-text)' },
])

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', backgroundColor: 'var(--surface)', color: 'var(--fg)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--fg)' },
  '.cm-cursor': { borderLeftColor: 'var(--fg)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--subtle)', border: 'none', paddingLeft: '4px' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 8px', minWidth: '28px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--fg)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 24%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--warn) 22%, transparent)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--pressed)', outline: 'none' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--warn) 32%, transparent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--warn) 60%, transparent)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--chip)', border: 'none', color: 'var(--muted)', padding: '0 4px' },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer', color: 'var(--subtle)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--fg)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: 'var(--popup-shadow)',
    overflow: 'hidden',
    zIndex: '65',
  },
  '.cm-tooltip-hover, .cm-completionInfo': {
    padding: '6px 10px',
    maxWidth: '420px',
    fontFamily: 'var(--font-sans)',
    fontSize: '12px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: '12px',
    maxHeight: '16em',
    padding: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', borderRadius: '4px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--pressed)', color: 'var(--fg)' },
  '.cm-completionDetail': { color: 'var(--subtle)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--fg)', fontFamily: 'var(--font-sans)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '6px 28px 6px 8px', fontSize: '12px' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    color: 'var(--fg)',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: '4px',
    color: 'var(--fg)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--bad)' },
  '.cm-chosenLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 14%, transparent)' },
  // Differences
  'ins.cm-insertedLine, del.cm-deletedLine': { background: 'none', textDecoration: 'none' },
  '&.cm-merge-b .cm-changedText, .cm-inlineChangedLine .cm-changedText, .cm-changedLine .cm-changedText': {
    background: 'color-mix(in srgb, var(--ok) 18%, transparent)',
  },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--bad) 15%, transparent)',
  },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': {
    backgroundColor: 'color-mix(in srgb, var(--ok) 10%, transparent)',
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': {
    backgroundColor: 'color-mix(in srgb, var(--bad) 10%, transparent)',
  },
  '.cm-collapsedLines': {
    background: 'var(--sunken)',
    color: 'var(--muted)',
    padding: '4px 12px',
    fontFamily: 'var(--font-sans)',
  },
  '.cm-changeGutter': { width: '3px', paddingLeft: '1px' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--bad)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
})

/** Colours and sizes of every editor and viewer. */
export const codeTheme: Extension = [look, syntaxHighlighting(highlight)]

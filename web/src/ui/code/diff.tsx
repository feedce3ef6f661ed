import { foldGutter } from '@codemirror/language'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { useEffect, useRef } from 'react'
import type { DiffViewProps } from './diff-view.tsx'
import { codeTheme, languageOf } from './language.ts'

/** Two versions of a document, in a chunk of its own; use DiffView. */
export function Diff({
  before,
  after,
  language = 'yaml',
  layout,
  collapse = true,
  label = 'Difference',
  lineNumbers: numbers,
}: Omit<DiffViewProps, 'className'> & { layout: 'unified' | 'split' }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const parent = host.current!
    const collapseUnchanged = collapse ? { margin: 3, minSize: 6 } : undefined
    const numbered = (lines: readonly (number | undefined)[] | undefined) =>
      lineNumbers(lines && { formatNumber: (line) => String(lines[line - 1] ?? '') })
    const shared: Extension = [
      foldGutter(),
      search({ top: true }),
      keymap.of(searchKeymap),
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true' }),
      languageOf(language),
      codeTheme,
    ]
    // Very different large documents would be compared for seconds; a rougher result at once is better.
    const diffConfig = { scanLimit: 5000, timeout: 500 }
    if (layout === 'split') {
      const merge = new MergeView({
        parent,
        a: { doc: before, extensions: [numbered(numbers?.before), shared] },
        b: { doc: after, extensions: [numbered(numbers?.after), shared] },
        collapseUnchanged,
        gutter: true,
        diffConfig,
      })
      return () => merge.destroy()
    }
    const view = new EditorView({
      parent,
      doc: after,
      extensions: [
        numbered(numbers?.after),
        shared,
        unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged, gutter: true, diffConfig }),
      ],
    })
    return () => view.destroy()
  }, [before, after, language, layout, collapse, label, numbers])
  return (
    <div
      ref={host}
      className="h-full min-h-0 overflow-auto [&_.cm-mergeView]:h-full [&_.cm-mergeViewEditors]:min-h-full"
    />
  )
}

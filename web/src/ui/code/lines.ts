import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, lineNumbers } from '@codemirror/view'

/** Chosen lines of a document, counted from 1. */
export interface LineRange {
  from: number
  to: number
}

/** L3-L9, or L3 for one line; for addresses. */
export function formatLines(range: LineRange | undefined): string {
  if (!range) return ''
  return range.from === range.to ? `L${range.from}` : `L${range.from}-L${range.to}`
}

/** Reads L3-L9, #L3, 3-9 and 3. */
export function parseLines(text: string | null | undefined): LineRange | undefined {
  const match = /^#?L?(\d{1,9})(?:-L?(\d{1,9}))?$/i.exec(text ?? '')
  if (!match) return undefined
  const [a, b] = [Number(match[1]), Number(match[2] ?? match[1])]
  return a > 0 && b > 0 ? { from: Math.min(a, b), to: Math.max(a, b) } : undefined
}

export const chooseLines = StateEffect.define<LineRange | undefined>()
const mark = Decoration.line({ class: 'cm-chosenLine' })

const chosen = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let result = marks.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (!effect.is(chooseLines)) continue
      const builder = new RangeSetBuilder<Decoration>()
      const { doc } = transaction.state
      const range = effect.value
      if (range)
        for (let line = range.from; line <= Math.min(range.to, doc.lines); line++)
          builder.add(doc.line(line).from, doc.line(line).from, mark)
      result = builder.finish()
    }
    return result
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Line numbers that choose lines: a click one, a drag or Shift+click a range, another click on the same none. */
export function lineChooser(onChange: (range: LineRange | undefined) => void): Extension {
  let anchor = 0
  let current: LineRange | undefined
  let isDragging = false
  const choose = (view: EditorView, range: LineRange | undefined) => {
    current = range
    view.dispatch({ effects: chooseLines.of(range) })
  }
  const to = (line: number): LineRange => ({ from: Math.min(anchor, line), to: Math.max(anchor, line) })
  return [
    chosen,
    lineNumbers({
      domEventHandlers: {
        mousedown(view, block, event) {
          const line = view.state.doc.lineAt(block.from).number
          const isSame = current?.from === line && current.to === line
          if (!(event as MouseEvent).shiftKey || !current) anchor = line
          choose(view, isSame ? undefined : to(line))
          isDragging = !isSame
          const stop = () => {
            isDragging = false
            onChange(current)
          }
          window.addEventListener('mouseup', stop, { once: true })
          return true
        },
        mousemove(view, block) {
          if (!isDragging) return false
          choose(view, to(view.state.doc.lineAt(block.from).number))
          return true
        },
      },
    }),
    EditorView.theme({ '.cm-lineNumbers .cm-gutterElement': { cursor: 'pointer' } }),
  ]
}

/** The two sides of a unified diff, as far as it shows them. */
interface DiffSides {
  before: string
  after: string
  /** Where the lines stand in the whole documents; nothing for the marks of gaps. */
  lineNumbers: Record<'before' | 'after', (number | undefined)[]>
}

const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/**
 * Both sides of a unified diff: unchanged lines in both, removed ones before, added ones after. Parts that the diff
 * leaves out are marked by a line with their place. Undefined when the text is no diff.
 */
export function sidesOf(diff: string): DiffSides | undefined {
  const lines = diff.split(/\r?\n/)
  const start = lines.findIndex((line) => hunk.test(line))
  if (start < 0) return undefined
  const texts = { before: [] as string[], after: [] as string[] }
  const lineNumbers: DiffSides['lineNumbers'] = { before: [], after: [] }
  const next = { before: 1, after: 1 }
  const add = (side: 'before' | 'after', text: string, number?: number) => {
    texts[side].push(text)
    lineNumbers[side].push(number)
  }
  for (const [index, line] of lines.slice(start).entries()) {
    const place = hunk.exec(line)
    if (place) {
      if (index > 0) for (const side of ['before', 'after'] as const) add(side, '…')
      next.before = Number(place[1])
      next.after = Number(place[2])
    } else {
      // "\ No newline at end of file" and the empty end say nothing to a reader.
      if (line.startsWith('-') || line.startsWith(' ')) add('before', line.slice(1), next.before++)
      if (line.startsWith('+') || line.startsWith(' ')) add('after', line.slice(1), next.after++)
    }
  }
  return { before: texts.before.join('\n'), after: texts.after.join('\n'), lineNumbers }
}

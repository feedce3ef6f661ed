/** The two sides of a unified diff, as far as it shows them. */
interface DiffSides {
  before: string
  after: string
}

const hunk = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/

/**
 * Both sides of a unified diff: unchanged lines in both, removed ones before, added ones after. Parts that the diff
 * leaves out are marked by a line with their place. Undefined when the text is no diff.
 */
export function sidesOf(diff: string): DiffSides | undefined {
  const lines = diff.split(/\r?\n/)
  const start = lines.findIndex((line) => hunk.test(line))
  if (start < 0) return undefined
  const before: string[] = []
  const after: string[] = []
  let isFirst = true
  for (const line of lines.slice(start)) {
    if (hunk.test(line)) {
      if (!isFirst) {
        before.push('…')
        after.push('…')
      }
      isFirst = false
    } else if (line.startsWith('-')) before.push(line.slice(1))
    else if (line.startsWith('+')) after.push(line.slice(1))
    else if (line.startsWith(' ')) {
      before.push(line.slice(1))
      after.push(line.slice(1))
    }
    // "\ No newline at end of file" and the empty end say nothing to a reader.
  }
  return { before: before.join('\n'), after: after.join('\n') }
}

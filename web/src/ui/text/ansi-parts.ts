import Anser from 'anser'

export interface AnsiPart {
  text: string
  className: string
}

// The sixteen colours of terminals, as ours; finer colours fall back to plain text, which stays readable in both themes.
const colours: Record<string, string> = {
  'ansi-red': 'text-bad-text',
  'ansi-bright-red': 'text-bad-text',
  'ansi-green': 'text-ok-text',
  'ansi-bright-green': 'text-ok-text',
  'ansi-yellow': 'text-warn-text',
  'ansi-bright-yellow': 'text-warn-text',
  'ansi-blue': 'text-accent-text',
  'ansi-bright-blue': 'text-accent-text',
  'ansi-magenta': 'text-[var(--series-2)]',
  'ansi-bright-magenta': 'text-[var(--series-2)]',
  'ansi-cyan': 'text-[var(--series-3)]',
  'ansi-bright-cyan': 'text-[var(--series-3)]',
  'ansi-bright-black': 'text-subtle',
}

/** The output of a program in pieces of one look; control sequences disappear. */
export function ansiParts(text: string): AnsiPart[] {
  return Anser.ansiToJson(text, { use_classes: true, remove_empty: true }).map((part) => ({
    text: part.content,
    className: [
      colours[part.fg] ?? '',
      part.decorations.includes('bold') && 'font-semibold',
      part.decorations.includes('dim') && 'opacity-70',
      part.decorations.includes('underline') && 'underline',
      part.decorations.includes('italic') && 'italic',
    ]
      .filter(Boolean)
      .join(' '),
  }))
}

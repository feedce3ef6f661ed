import type { Nav, NavItem } from '../nav.ts'

/** Whether a key press belongs to a field, so that it must not be taken for a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable || target.closest('input, textarea, select, [contenteditable=true], .cm-editor') !== null
  )
}

/** Items of the menu that a letter after `g` goes to. */
export const goTargets = (nav: Nav): (NavItem & { key: string })[] =>
  [...nav.main, ...nav.settings].filter((item): item is NavItem & { key: string } => item.key !== undefined)

export interface Shortcut {
  keys: readonly string[]
  what: string
}

/** What works on every page, besides the letters of the menu. */
export const generalShortcuts = (mac: boolean): Shortcut[] => [
  { keys: [mac ? '⌘' : 'Ctrl', 'K'], what: 'Search and jump to anything' },
  { keys: ['/'], what: 'Go to the search field of the page' },
  { keys: ['j'], what: 'Next row of a table' },
  { keys: ['k'], what: 'Previous row of a table' },
  { keys: ['Enter'], what: 'Open the row' },
  { keys: ['Esc'], what: 'Close what is open' },
  { keys: ['?'], what: 'Show these shortcuts' },
]

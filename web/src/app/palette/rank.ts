/** How well a label answers what was typed: 0 not at all, then any word, word beginnings, the beginning, the whole. */
export function rank(label: string, typed: string): number {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const text = label.toLowerCase()
  if (words.length === 0) return 1
  if (text === words.join(' ')) return 5
  if (text.startsWith(words.join(' '))) return 4
  const parts = text.split(/[\s/·-]+/)
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 3
  return words.every((word) => text.includes(word)) ? 2 : 0
}

/** Those that answer, best first; equals keep their order. */
export function ranked<T extends { label: string }>(items: readonly T[], typed: string): T[] {
  return items
    .map((item) => ({ item, score: rank(item.label, typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
}

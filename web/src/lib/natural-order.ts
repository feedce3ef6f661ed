const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const isDigit = (code: number) => code >= 48 && code <= 57

/**
 * Text as people sort it: case aside, figures by size (pod-2 before pod-10). The collator alone does the same but takes
 * ten times as long, which shows when a hundred thousand rows are sorted; it decides only where letters go beyond ASCII.
 */
export function naturalOrder(a: string, b: string): number {
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    let x = a.charCodeAt(i)
    let y = b.charCodeAt(j)
    if (x > 127 || y > 127) return collator.compare(a.slice(i), b.slice(j))
    if (isDigit(x) && isDigit(y)) {
      while (a.charCodeAt(i) === 48 && isDigit(a.charCodeAt(i + 1))) i++
      while (b.charCodeAt(j) === 48 && isDigit(b.charCodeAt(j + 1))) j++
      let order = 0
      for (; isDigit(a.charCodeAt(i)) && isDigit(b.charCodeAt(j)); i++, j++)
        order = order || a.charCodeAt(i) - b.charCodeAt(j)
      // The longer figure is the larger one; of two equally long the first different digit decides.
      const moreA = isDigit(a.charCodeAt(i))
      if (moreA || isDigit(b.charCodeAt(j))) return moreA ? 1 : -1
      if (order) return order
      continue
    }
    if (x >= 65 && x <= 90) x += 32
    if (y >= 65 && y <= 90) y += 32
    if (x !== y) return x - y
    i++
    j++
  }
  return a.length - i - (b.length - j)
}

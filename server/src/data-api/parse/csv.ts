/** Rows of fields, with quotes, doubled quotes and line breaks inside quotes. Undefined when a quote is never closed. */
export function parseCsv(text: string): string[][] | undefined {
  const rows: string[][] = []
  let row: string[] = []
  let pos = 0
  while (pos <= text.length) {
    const field = readField(text, pos)
    if (!field) return undefined
    row.push(field.value)
    pos = field.end
    const char = text[pos]
    if (char === ',') {
      pos++
      continue
    }
    rows.push(row)
    row = []
    if (char === undefined) break
    pos += text.startsWith('\r\n', pos) ? 2 : 1
    if (pos >= text.length) break
  }
  return rows
}

function readField(text: string, start: number): { value: string; end: number } | undefined {
  if (text[start] !== '"') {
    let end = start
    while (end < text.length && !',\r\n'.includes(text[end]!)) end++
    return { value: text.slice(start, end), end }
  }
  let value = ''
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] !== '"') value += text[i]
    else if (text[i + 1] === '"') value += text[i++]
    else return i + 1 >= text.length || ',\r\n'.includes(text[i + 1]!) ? { value, end: i + 1 } : undefined
  }
  return undefined
}

/** Reads CSV with a line of headings (RFC 4180: quotes, doubled quotes, line breaks inside quotes). */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]]
  let field = ''
  let quoted = false
  const endField = () => {
    rows.at(-1)!.push(field)
    field = ''
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quoted) {
      if (character !== '"') field += character
      else if (text[at + 1] === '"') field += text[++at]
      else quoted = false
    } else if (character === '"' && field === '') quoted = true
    else if (character === ',') endField()
    else if (character === '\n') {
      endField()
      rows.push([])
    } else if (character !== '\r') field += character
  }
  if (field !== '' || rows.at(-1)!.length > 0) endField()
  const [heads = [], ...lines] = rows.filter((row) => row.length > 1 || (row[0] ?? '') !== '')
  return lines.map((row) => Object.fromEntries(heads.map((head, column) => [head, row[column] ?? ''])))
}

/**
 * A JSON value as YAML, without a library: a document of several megabytes is written in a fraction of a second. Text
 * that YAML could read as something else is quoted; several lines become a block.
 */
export function yamlText(value: unknown): string {
  const out: string[] = []
  write(value, '', out, '')
  return out.join('')
}

// What these look like would be read as a number, date, boolean, null, or as syntax.
const plain = /^[A-Za-z_/][\w ./@%+()=:-]*$/
const special = /^(?:true|false|yes|no|on|off|null|y|n|~)$/i
const isPlain = (text: string) => plain.test(text) && !special.test(text) && !/ $|:(?: |$)/.test(text)

function scalar(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text)
}

// A block keeps lines as they are; what it cannot hold is quoted.
const isBlock = (text: string) =>
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what a block cannot hold
  text.includes('\n') && !/[\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029\ufeff]|^[ \n]|[ \t]\n/.test(text)

/** Writes a value after its key or dash; `lead` stands before it when it fits on the same line. */
function write(value: unknown, indent: string, out: string[], lead: string): void {
  if (typeof value === 'string') {
    if (isBlock(value)) writeBlock(value, indent, out, lead)
    else out.push(lead, value === '' ? '""' : scalar(value), '\n')
  } else if (Array.isArray(value)) {
    if (value.length === 0) return void out.push(lead, '[]\n')
    if (lead !== '') out.push('\n')
    for (const item of value) {
      out.push(indent, '-')
      writeItem(item, indent, out)
    }
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    if (keys.length === 0) return void out.push(lead, '{}\n')
    if (lead !== '') out.push('\n')
    writeKeys(value as Record<string, unknown>, keys, indent, out, false)
  } else out.push(lead, value === undefined ? 'null' : String(value), '\n')
}

function writeKeys(map: Record<string, unknown>, keys: string[], indent: string, out: string[], isInline: boolean) {
  keys.forEach((key, index) => {
    out.push(isInline && index === 0 ? ' ' : indent, scalar(key), ':')
    const value = map[key]
    // Lists stand under their key without a step, as most files write them.
    write(value, Array.isArray(value) ? indent : `${indent}  `, out, ' ')
  })
}

/** An entry of a list: the first key of a map stands beside the dash. */
function writeItem(item: unknown, indent: string, out: string[]): void {
  const inner = `${indent}  `
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    const keys = Object.keys(item)
    if (keys.length > 0) return writeKeys(item as Record<string, unknown>, keys, inner, out, true)
  }
  write(item, inner, out, ' ')
}

function writeBlock(text: string, indent: string, out: string[], lead: string): void {
  const ends = /\n*$/.exec(text)![0].length
  out.push(lead, ends === 0 ? '|-' : ends === 1 ? '|' : '|+', '\n')
  const inner = indent === '' && lead === '' ? '  ' : indent
  for (const line of (ends === 0 ? text : text.slice(0, -1)).split('\n')) out.push(line === '' ? '' : inner, line, '\n')
}

const named: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
}

const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

/** A text as a Go string literal. */
export function goQuote(text: string, mark = '"', ascii = false): string {
  let out = mark
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (character === mark) out += `\\${mark}`
    else if (named[character]) out += named[character]
    else if (code >= 0xd800 && code <= 0xdfff) out += '\\ufffd'
    else if (printable.test(character) && (!ascii || code < 0x7f)) out += character
    else if (code < 0x80) out += `\\x${code.toString(16).padStart(2, '0')}`
    else if (code < 0x10000) out += `\\u${code.toString(16).padStart(4, '0')}`
    else out += `\\U${code.toString(16).padStart(8, '0')}`
  }
  return out + mark
}

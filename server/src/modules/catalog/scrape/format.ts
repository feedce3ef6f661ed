import { parseAllDocuments } from 'yaml'

/** What a document holds: the bodies of one or, in YAML, several documents. Text of no known format is wrapped. */
export function parseBody(body: unknown, format: string): unknown[] {
  if (typeof body !== 'string') return [body]
  switch (format.toLowerCase()) {
    case '':
    case 'json':
      return [parseJson(body)]
    case 'yaml':
    case 'yml':
      return parseYaml(body)
    case 'properties':
      return [parseProperties(body)]
    default:
      return [{ format, content: body }]
  }
}

function parseJson(text: string): unknown {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (bare.trim() === '') throw new Error('the document is empty')
  try {
    return JSON.parse(bare) as unknown
  } catch (error) {
    throw new Error(`the document is not JSON: ${(error as Error).message.slice(0, 300)}`, { cause: error })
  }
}

function parseYaml(text: string): unknown[] {
  const documents = parseAllDocuments(text, { prettyErrors: true, uniqueKeys: false })
  return [...documents].flatMap((document) => {
    const [problem] = document.errors
    if (problem) throw new Error(`the document is not YAML: ${problem.message.slice(0, 300)}`)
    const value = document.toJS({ maxAliasCount: 1000 }) as unknown
    return value === null || value === undefined ? [] : [value]
  })
}

/** `key = value` lines; # and ! begin comments, a backslash at the end goes on with the next line. */
export function parseProperties(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const line of text.replace(/\\\r?\n\s*/g, '').split(/\r?\n/)) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith('!')) continue
    const at = trimmed.search(/[=:]/)
    const key = (at < 0 ? trimmed : trimmed.slice(0, at)).trim()
    if (key === '' || key === '__proto__') continue
    found[key] = at < 0 ? '' : trimmed.slice(at + 1).trim()
  }
  return found
}

/** A value the database does not take, however often it is offered; any other failure may pass. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RangeError || /^(21|22|23|54)/.test((error as { code?: string }).code ?? '')

/** PostgreSQL's text has no NUL. */
export const storableText = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)

/**
 * JSON text as jsonb takes it: without NUL and without halves of a surrogate pair, both legal in an answer. Escapes are
 * read one by one, so that a text which merely spells `\u0000` stays as it is.
 */
export function storableJson(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined) return null
  if (!json.includes('\\u')) return json
  return json.replace(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (escape, what: string) =>
    what === 'u0000' ? '' : what.startsWith('ud') ? '\ufffd' : escape,
  )
}

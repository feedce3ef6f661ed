/** What is wrong, and where. */
export interface Problem {
  file: string
  /** Position of the document in its file, from 1. */
  document?: number
  line?: number
  column?: number
  /** `spec.http[0].url` */
  path?: string
  message: string
}

/** `web.yaml, document 2, line 14, spec.http[0].url: must be text` */
export function describeProblem({ file, document, line, path, message }: Problem): string {
  const place = [file, document && `document ${document}`, line && `line ${line}`, path].filter(Boolean).join(', ')
  return `${place}: ${message}`
}

export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key)),
    '',
  )

import { isUuid } from '../../platform/ids.ts'

/** What a reference may name. */
export interface Named {
  id: string
  name: string
  namespace: string
  type: string
}

const scheme = 'connection://'

/** Whether a text of a document means this connection; `namespace` is that of the document. */
function refersTo(text: string, connection: Named, namespace: string): boolean {
  if (isUuid(text as unknown)) return text.toLowerCase() === connection.id.toLowerCase()
  if (!text.startsWith(scheme)) return false
  const parts = text.slice(scheme.length).split('/').filter(Boolean)
  if (parts.at(-1) !== connection.name) return false
  switch (parts.length) {
    case 1:
      return namespace === connection.namespace
    case 2:
      return parts[0] === connection.namespace || parts[0] === connection.type
    case 3:
      return parts[0] === connection.type && parts[1] === connection.namespace
    default:
      return false
  }
}

/** Whether any text inside a document means this connection. */
export function mentions(document: unknown, connection: Named, namespace: string): boolean {
  if (typeof document === 'string') return refersTo(document, connection, namespace)
  if (Array.isArray(document)) return document.some((item) => mentions(item, connection, namespace))
  if (typeof document !== 'object' || document === null) return false
  return Object.entries(document).some(
    ([key, value]) =>
      mentions(value, connection, namespace) ||
      // Repositories name their keys by the bare name as well.
      (key === 'awsConnectionName' && value === connection.name && namespace === connection.namespace),
  )
}

/** "a, b and 3 more" */
export function listed(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most)
  const rest = names.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '')
}

import type { Values } from './kind.ts'

/** With another number of parts it is a text like any other, and may be a secret itself. */
const reference =
  /^((secret|configmap|helm):\/\/[^/]+\/[^/]+|serviceaccount:\/\/[^/]+|env:\/\/[A-Za-z_]\w*|file:\/\/\/[^\0]*)$/
/** What a stored secret looks like to whoever may not see it, and what leaves it as it is when sent back. */
export const hiddenValue = '***'

/** Whether a text says where a value is, instead of being it. */
export const isReference = (text: unknown): boolean => typeof text === 'string' && reference.test(text)

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** A value inside the path or the user part of an address. */
export const part = (value: unknown): string => encodeURIComponent(textOf(value))

/** A host with its port; what cannot be in one is left out. */
export const host = (value: unknown): string =>
  textOf(value)
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[^\p{L}\p{N}.:[\]_-].*$/su, '')

/** The username in an address: itself, or its place when it comes from elsewhere and is not known yet. */
export const user = ({ username }: Values): string =>
  isReference(username) || username === hiddenValue ? '$(username)' : part(username)

/** `?a=1&b=2` of what is there. */
export function query(values: Record<string, unknown>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${key}=${part(value)}`).join('&')}`
}

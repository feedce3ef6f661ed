import { hiddenValue, isReference } from '@quarterdeck/contract/connections/address'
import { secretPlaces } from '@quarterdeck/contract/connections/form'
import { connectionKind } from '@quarterdeck/contract/connections/index'
import type { Place } from '@quarterdeck/contract/connections/kind'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { holdsCredentials, isSecretAddress } from './secret-address.ts'

const tellingName =
  /passw|passphrase|secret|token|bearer|credential|api[-_]?key|private[-_]?key|access[-_]?key[-_]?secret/i
/** Says where a secret is got, or what it is called. */
const aboutOne = /(name|url|uri|endpoint|type|id|ttl|expiry)$/i

/** Whether a text at this place of a connection is something nobody should read. */
export function isSecretText(place: string, text: string, type?: string): boolean {
  if (text === '' || isReference(text)) return false
  const kind = type === undefined ? undefined : connectionKind(type)
  if (secretPlaces(kind).has(place as Place)) return true
  if (place === 'url') {
    // Made by hand, with the token itself where its place should be.
    const isMade = kind?.url && kind.fields.some((field) => field.kind === 'secret' && field.required)
    return isSecretAddress(text) || holdsCredentials(text) || (isMade === true && !text.includes('$('))
  }
  if (place === 'username') return isSecretAddress(text)
  if (!place.startsWith('properties.')) return false
  const key = place.slice('properties.'.length)
  return (tellingName.test(key) && !aboutOne.test(key)) || isSecretAddress(text)
}

type Stored = Record<string, unknown>
const columns = ['url', 'username', 'password', 'certificate'] as const

/** The same row with its secrets encrypted, as it is stored. */
export function sealRow<Row extends Stored>(secrets: Secrets, row: Row, type: string | undefined): Row {
  const seal = (value: unknown, isSecret: (text: string) => boolean) =>
    typeof value === 'string' && isSecret(value) && !secrets.isEncrypted(value) ? secrets.encrypt(value) : value
  const own = secretsOf(row, type)
  const sealed: Stored = { ...row }
  for (const column of columns)
    if (column in row)
      sealed[column] = seal(
        row[column],
        (text) => isSecretText(column, text, type) || own.some((each) => holds(text, each)),
      )
  const { properties } = row
  if (typeof properties === 'object' && properties !== null)
    sealed.properties = Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [
        key,
        seal(value, (text) => isSecretText(`properties.${key}`, text, type)),
      ]),
    )
  return sealed as Row
}

/** Shorter ones stand in any address by chance. */
const shortest = 6

/** What the secret columns of a row hold; an address that repeats one gives it away. */
const secretsOf = (row: Stored, type: string | undefined): string[] =>
  columns
    .filter((column) => column !== 'url')
    .map((column) => ({ column, value: row[column] }))
    .flatMap(({ column, value }) =>
      typeof value === 'string' && value.length >= shortest && isSecretText(column, value, type) ? [value] : [],
    )

const holds = (text: string, secret: string) => text.includes(secret) || text.includes(encodeURIComponent(secret))

export const hiddenColumns = (row: Stored): string[] => columns.filter((column) => row[column] === hiddenValue)

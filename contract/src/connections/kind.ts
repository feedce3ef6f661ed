/** What a type of connection is: one file each beside this one, from which form, storage, docs and tests come. */

/** A column of the connection, or one of its properties. */
export type Place = 'url' | 'username' | 'password' | 'certificate' | 'insecure_tls' | `properties.${string}`

export interface ConnectionField {
  /** The name of the value in the form and in `url`. */
  key: string
  label: string
  /** Where it is stored. */
  to: Place
  /** Other places that hold the same, for readers that look there. */
  also?: readonly Place[]
  /**
   * text, number, switch and choice are plain; value may also be a reference (secret://name/key); secret is one that is
   * never shown again; connection names another connection.
   */
  kind: 'text' | 'number' | 'switch' | 'choice' | 'value' | 'secret' | 'connection'
  required?: boolean
  default?: string | number | boolean
  hint?: string
  placeholder?: string
  multiline?: boolean
  options?: readonly { value: string; label: string }[]
  min?: number
  max?: number
  /** Shown only while another field of the form has one of these values. */
  when?: { key: string; is: readonly (string | boolean)[] }
  /** Only a choice of the form, taken from what is stored; nothing of its own is written. */
  derived?: (row: ConnectionColumns) => string
}

export type Values = Record<string, string | number | boolean | undefined>

/** The columns a form of a connection fills. */
export interface ConnectionColumns {
  url: string | null
  username: string | null
  password: string | null
  certificate: string | null
  insecure_tls: boolean | null
  properties: Record<string, string> | null
}

export const categories = {
  cloud: 'Clouds',
  database: 'Databases',
  code: 'Code and pipelines',
  files: 'Files and backups',
  monitoring: 'Monitoring',
  host: 'Hosts and directories',
  web: 'Web',
  notification: 'Notifications',
} as const
export type Category = keyof typeof categories

export interface ConnectionKind {
  type: string
  label: string
  category: Category
  /** A name of the icon set; the type itself unless given. */
  icon?: string
  /** Not offered for new connections. */
  hidden?: boolean
  /** A sentence above the form. */
  about?: string
  fields: readonly ConnectionField[]
  /** The stored address, put together from the values of the form; types without it have a field for the address. */
  url?: (values: Values) => string
  /** What Test does, for the person who presses it. Absent: it can only be tried by using it. */
  test?: string
}

/** Where values encrypted at rest are stored. Whoever stores such values elsewhere adds the place: rotation goes by this list. */
export interface EncryptedColumn {
  table: string
  /** Text holds one value; in JSON any string may be one. */
  column: string
  type: 'text' | 'jsonb'
}

export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'connections', column: 'url', type: 'text' },
  { table: 'connections', column: 'username', type: 'text' },
  { table: 'connections', column: 'password', type: 'text' },
  { table: 'connections', column: 'certificate', type: 'text' },
  { table: 'connections', column: 'properties', type: 'jsonb' },
  { table: 'identity_credentials', column: 'config', type: 'jsonb' },
  { table: 'outgoing_mails', column: 'content', type: 'text' },
]

import type { Db } from '../db/db.ts'
import { StartupError } from '../errors.ts'
import { encryptedColumns } from './encrypted-columns.ts'
import { decryptWith, encryptWith } from './file-secrets.ts'
import { type Key, type Keys, newKey, readKeys, writeKeys } from './key-file.ts'
import { keysInUse, storeValue, valuesUnderOtherKeys } from './rotation.sql.ts'

/** Refuses to start with keys that cannot open what the database holds. */
export async function requireKeys(db: Db, keys: Keys, file: string): Promise<void> {
  const known = new Set(keys.map((key) => key.id))
  const used = (await Promise.all(encryptedColumns.map((column) => keysInUse(db, column)))).flat()
  const missing = [...new Set(used)].filter((id) => !known.has(id))
  if (missing.length === 0) return
  throw new StartupError(
    `The database holds secrets encrypted with key ${missing.join(', ')}, which is not in ${file}: ` +
      'restore that key file, or set QUARTERDECK_ENCRYPTION_KEY_FILE to it.',
  )
}

export interface Rotation {
  keyId: string
  /** Rows written anew. */
  rows: number
  /** Keys taken out of the file because nothing uses them any more. */
  retired: string[]
}

const batch = 200

/**
 * Makes a new key, encrypts everything anew with it and takes unused keys out of the file. The previous key stays until
 * the next rotation, for processes that have not looked at the file yet. Safe to repeat when it was cut short.
 */
export async function rotateKeys(
  db: Db,
  file: string,
  onProgress: (rows: number) => void = () => {},
): Promise<Rotation> {
  const before = readKeys(file)
  await requireKeys(db, before, file)
  const key = newKey()
  writeKeys(file, [key, ...before])
  const keys = readKeys(file)
  let rows = 0
  for (const column of encryptedColumns) {
    for (;;) {
      const done = await db.tx(async (sql) => {
        const found = await valuesUnderOtherKeys(sql, column, key.id, batch)
        for (const { id, value } of found) await storeValue(sql, column, { id, value: renew(value, keys) })
        return found.length
      })
      rows += done
      if (done > 0) onProgress(rows)
      if (done < batch) break
    }
  }
  const used = new Set((await Promise.all(encryptedColumns.map((column) => keysInUse(db, column)))).flat())
  const kept = keys.filter((one, at) => at < 2 || used.has(one.id))
  writeKeys(file, kept)
  return { keyId: key.id, rows, retired: keys.filter((one) => !kept.includes(one)).map((one) => one.id) }
}

/** Every encrypted value inside a text, JSON included: its letters need no escapes. */
function renew(text: string, keys: readonly Key[]): string {
  return text.replaceAll(/qd1\.([0-9a-f]{8})\.[A-Za-z0-9_-]{38,}/g, (stored, id: string) => {
    const key = keys.find((one) => one.id === id)
    return key ? encryptWith(keys[0]!, decryptWith(key, stored)) : stored
  })
}

import type { Sql } from '../../../platform/db/db.ts'
import { peopleByEmail } from './changes.sql.ts'
import type { Authors } from './store-changes.ts'

const shown = (name: string): string => name.replaceAll('\0', '').toWellFormed().slice(0, 500)

/** Who made these changes: an address of a known person is that person, anything else stays a text. */
export async function authorsOf(sql: Sql, names: readonly (string | undefined)[]): Promise<Authors> {
  const emails = [...new Set(names.flatMap((name) => (name?.includes('@') ? [name.trim().toLowerCase()] : [])))]
  const people = new Map((await peopleByEmail(sql, emails)).map(({ id, email }) => [email, id]))
  return {
    of(name) {
      if (!name) return { created_by: null, external_created_by: null }
      const person = people.get(name.trim().toLowerCase())
      return person
        ? { created_by: person, external_created_by: null }
        : { created_by: null, external_created_by: shown(name) }
    },
  }
}

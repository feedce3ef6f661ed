import { readFile, stat } from 'node:fs/promises'
import bcrypt from 'bcryptjs'
import type { Context } from '../../../context.ts'
import { StartupError } from '../../errors.ts'
import { peopleNamed } from '../directory.ts'
import { gated } from '../hashing-gate.ts'
import { identityById, insertIdentity } from '../identity.sql.ts'
import { verifyPassword } from '../passwords.ts'

/** Name → hash, as `htpasswd -B` writes it. */
export type PasswordFile = ReadonlyMap<string, string>

const isBcrypt = (hash: string) => /^\$2[aby]\$\d\d\$[./\w]{53}$/.test(hash)
const isArgon = (hash: string) => hash.startsWith('$argon2id$')

/** Reads `name:hash` lines; says which line is wrong, never what it holds. */
function parsePasswordFile(text: string): PasswordFile {
  const entries = new Map<string, string>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const at = line.indexOf(':')
    const [name, hash] = [line.slice(0, at), line.slice(at + 1).trim()]
    if (at < 1) throw new StartupError(`Line ${index + 1} of the password file is not name:hash.`)
    if (!isBcrypt(hash) && !isArgon(hash)) {
      throw new StartupError(
        `Line ${index + 1} of the password file has no bcrypt or argon2id hash: write it with "htpasswd -B".`,
      )
    }
    entries.set(name.toLowerCase(), hash)
  }
  return entries
}

const cache = new Map<string, { changed: number; entries: PasswordFile }>()

/** The file as it is now; read again when it changed. */
export async function passwordFile(ctx: Pick<Context, 'config'>): Promise<PasswordFile> {
  const path = ctx.config.QUARTERDECK_PASSWORD_FILE
  if (!path)
    throw new StartupError('QUARTERDECK_AUTH=plain needs QUARTERDECK_PASSWORD_FILE: the path of an htpasswd file.')
  try {
    const changed = (await stat(path)).mtimeMs
    const known = cache.get(path)
    if (known?.changed === changed) return known.entries
    const entries = parsePasswordFile(await readFile(path, 'utf8'))
    cache.set(path, { changed, entries })
    return entries
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(
      `The password file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}.`,
    )
  }
}

/** Whether the file still has a line for this person; a session ends with it. */
export async function isListed(
  ctx: Pick<Context, 'config'>,
  person: { name: string; email: string | null },
): Promise<boolean> {
  const entries = await passwordFile(ctx)
  return entries.has(person.name.toLowerCase()) || (person.email !== null && entries.has(person.email.toLowerCase()))
}

/** A hash of nothing anybody types, for names that are not in the file. */
const nobody = '$2b$10$uZmbzSp2G2zTmK9t/Ocy7.sfXb5iY2RVh40Bw2Jedz68yASMYeaJW'

const fits = (hash: string, password: string): Promise<boolean> =>
  isArgon(hash) ? verifyPassword(hash, password) : gated(() => bcrypt.compare(password, hash))

/** The account of the person whose name or address this is, when the password is the file's. */
export async function personOfPasswordFile(ctx: Context, name: string, password: string): Promise<string | undefined> {
  const entries = await passwordFile(ctx)
  const hash = entries.get(name.trim().toLowerCase())
  const isRight = await fits(hash ?? nobody, password)
  if (!hash || !isRight) return undefined
  // Two people of one name cannot be told apart, so neither gets in by it.
  const [person, ...others] = await peopleNamed(ctx.db, name.trim())
  if (!person || others.length > 0) return undefined
  if (!(await identityById(ctx.db, person.id))) {
    const email = person.email ?? `${person.id}@local`
    await insertIdentity(ctx.db, person.id, { email, name: { first: person.name, last: '' } }, ctx.clock.now())
  }
  return person.id
}

import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { StartupError } from '../errors.ts'
import { writePrivately } from '../private-file.ts'

export interface Key {
  /** The first digits of the key's hash, so that a wrong key can never pass for the right one. */
  id: string
  bytes: Buffer
}

/** Newest first: the first key encrypts, all of them decrypt. */
export type Keys = readonly [Key, ...Key[]]

const keyOf = (bytes: Buffer): Key => ({ id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes })
export const newKey = (): Key => keyOf(randomBytes(32))

const heading =
  '# Quarterdeck: keys for secrets at rest, newest first. Without this file they cannot be read again: keep a copy.\n'

export function writeKeys(file: string, keys: readonly Key[]): void {
  try {
    writePrivately(file, heading + keys.map((key) => `${key.bytes.toString('base64')}\n`).join(''))
  } catch (error) {
    throw new StartupError(
      `Key file ${file} cannot be written (${(error as NodeJS.ErrnoException).code}): check the folder and its permissions.`,
    )
  }
}

/** One base64 key of 32 bytes per line; lines that start with # are words. */
export function readKeys(file: string): Keys {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartupError(
      `Key file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}): check QUARTERDECK_ENCRYPTION_KEY_FILE.`,
    )
  }
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
  const [first, ...others] = lines.map((line) => Buffer.from(line, 'base64'))
  if (!first || [first, ...others].some((bytes) => bytes.length !== 32)) {
    throw new StartupError(
      `Key file ${file} is damaged: every line must be a base64 key of 32 bytes. Restore it from your copy.`,
    )
  }
  return [keyOf(first), ...others.map(keyOf)]
}

/** The keys, made on first use. A file others can read is refused: the key would be no secret. */
export function openKeys(file: string): Keys {
  if (!existsSync(file)) writeKeys(file, [newKey()])
  else if (process.platform !== 'win32' && (statSync(file).mode & 0o007) !== 0) {
    throw new StartupError(`Key file ${file} can be read by everybody: run chmod 600 ${file}.`)
  }
  return readKeys(file)
}

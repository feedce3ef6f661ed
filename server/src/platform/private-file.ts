import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'

/** Writes a file only its owner can read; whole or not at all, also when the machine stops in between. */
export function writePrivately(path: string, text: string): void {
  const scratch = `${path}.${randomBytes(4).toString('hex')}`
  const file = openSync(scratch, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(scratch, path)
}

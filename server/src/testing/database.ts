import { randomBytes } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import { type Db, openDb } from '../platform/db/db.ts'
import { withDatabase } from './global-setup.ts'

export interface TestDatabase extends Db {
  url: string
}

/** A fresh clone of the migrated template, dropped when the test file ends. Call once per file. */
export async function testDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  const name = `t_${randomBytes(6).toString('hex')}`
  const admin = openDb({ url: server, max: 1 })
  await admin.run(`create database ${name} template ${options.empty ? 'template0' : 'quarterdeck_template'}`)
  const url = withDatabase(server, name)
  const db = openDb({ url })
  afterAll(async () => {
    await db.close()
    await admin.run(`drop database if exists ${name} with (force)`)
    await admin.close()
  })
  return { ...db, url }
}

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDb } from '../platform/db/db.ts'
import { startEmbedded } from '../platform/db/embedded.ts'
import { migrate } from '../platform/db/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
  }
}

/** One real PostgreSQL per run with a migrated template; each test file clones it (see database.ts). */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'))
  chmodSync(folder, 0o755)
  const server = await startEmbedded(folder, {
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'],
  })
  const admin = openDb({ url: server.url })
  await admin.run('create database quarterdeck_template')
  const template = openDb({ url: withDatabase(server.url, 'quarterdeck_template') })
  await migrate(template)
  await template.close()
  await admin.close()
  project.provide('databaseUrl', server.url)
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

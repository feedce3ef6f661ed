import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StartupError } from '../errors.ts'
import { pendingMigrations, refuseOldServer } from './migrate.ts'
import { readSchemaFiles, schemaFiles, schemaFolder, sqlFile } from './schema-files.ts'

const first = sqlFile('0001_a.sql', 'select 1')
const second = sqlFile('0002_b.sql', 'select 2')

test('servers before 14 are refused in one line that says what to do', () => {
  expect(() => refuseOldServer(130_016, '13.16')).toThrow(StartupError)
  expect(() => refuseOldServer(130_016, '13.16')).toThrow(/14 or later.*13\.16.*DATABASE_URL/)
  expect(() => refuseOldServer(140_000, '14.0')).not.toThrow()
  expect(() => refuseOldServer(180_004, '18.4')).not.toThrow()
})

test('only migrations the database lacks are pending', () => {
  expect(pendingMigrations({ migrations: [first, second] }, new Map())).toEqual([first, second])
  expect(pendingMigrations({ migrations: [first, second] }, new Map([[first.name, first.hash]]))).toEqual([second])
})

test('a database that knows more than this version is refused', () => {
  const applied = new Map([first, second].map(({ name, hash }) => [name, hash]))
  expect(() => pendingMigrations({ migrations: [first] }, applied)).toThrow(/newer version.*0002_b\.sql/)
})

test('a migration edited after it ran is refused', () => {
  const applied = new Map([[first.name, sqlFile(first.name, 'select 3').hash]])
  expect(() => pendingMigrations({ migrations: [first] }, applied)).toThrow(/0001_a\.sql was edited/)
})

test('line ends do not count as an edit', () => {
  expect(sqlFile('a', 'select 1;\r\nselect 2;\r\n').hash).toEqual(sqlFile('a', 'select 1;\nselect 2;\n').hash)
})

test('a new migration renews the views, which may select every column', () => {
  const view = sqlFile('010_v.sql', 'create view v as select * from t')
  expect(schemaFiles([first], [view]).viewsHash).not.toEqual(schemaFiles([first, second], [view]).viewsHash)
})

test('the files are found from a build folder as from the source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-schema-'))
  try {
    for (const part of ['migrations', 'views', 'dist']) mkdirSync(join(folder, part))
    expect(schemaFolder(join(folder, 'dist'))).toBe(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('every migration has a number of its own and every file ends in a statement', () => {
  const { migrations, views } = readSchemaFiles()
  const numbers = migrations.map(({ name }) => /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
  expect(numbers).not.toContain(undefined)
  expect(new Set(numbers).size).toBe(numbers.length)
  for (const { name, text } of [...migrations, ...views]) expect(text.trimEnd(), name).toMatch(/;$/)
})

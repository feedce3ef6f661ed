import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dataFolderHolder, lockDataFolder, openDataFolder } from './data-folder.ts'
import { StartupError } from './errors.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'quarterdeck-lock-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lockFile = () => join(folder, 'lock')
const quick = { patience: 200 }
const leaveLock = (holder: object) => writeFileSync(lockFile(), JSON.stringify(holder))

test('a folder is made with the folders above it', () => {
  const path = join(folder, 'a/b')
  expect(openDataFolder(path)).toBe(path)
  expect(readdirSync(folder)).toEqual(['a'])
})

test('while one holds the folder another one is refused, and gets it after the release', async () => {
  const first = await lockDataFolder(folder, quick)
  expect(dataFolderHolder(folder)).toBe(process.pid)
  await expect(lockDataFolder(folder, quick)).rejects.toThrow(
    new StartupError(
      `Data folder ${folder} is in use by process ${process.pid}: stop that one first, or set QUARTERDECK_DATA_DIR to another folder.`,
    ),
  )
  first.release()
  expect(dataFolderHolder(folder)).toBeUndefined()
  const second = await lockDataFolder(folder, quick)
  second.release()
  expect(readdirSync(folder)).toEqual([])
})

test('a lock whose process is gone is taken over', async () => {
  leaveLock({ pid: 2 ** 22 + 1, host: hostname(), began: '1' })
  expect(dataFolderHolder(folder)).toBeUndefined()
  const lock = await lockDataFolder(folder, quick)
  expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid })
  lock.release()
})

test.runIf(process.platform === 'linux')('a process number that was used again does not hold the lock', async () => {
  leaveLock({ pid: process.pid, host: hostname(), began: '1' })
  expect(dataFolderHolder(folder)).toBeUndefined()
  ;(await lockDataFolder(folder, quick)).release()
})

test('a lock from another machine holds while it is touched and falls when it is silent', async () => {
  leaveLock({ pid: 7, host: 'another-machine', began: '1' })
  expect(dataFolderHolder(folder)).toBe(7)
  await expect(lockDataFolder(folder, quick)).rejects.toThrow('is in use by process 7 on another-machine')
  const past = new Date(Date.now() - 60_000)
  utimesSync(lockFile(), past, past)
  ;(await lockDataFolder(folder, quick)).release()
})

test.each(['', '{"pid":', 'null', '{"host":"x"}', '\0\0'])(
  'a lock that a crash of the machine cut off holds nothing: %j',
  async (text) => {
    writeFileSync(lockFile(), text)
    expect(dataFolderHolder(folder)).toBeUndefined()
    ;(await lockDataFolder(folder, quick)).release()
    expect(readdirSync(folder)).toEqual([])
  },
)

test('of many that come at once over a stale lock exactly one wins', async () => {
  leaveLock({ pid: 2 ** 22 + 1, host: hostname(), began: '1' })
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataFolder(folder, quick)))
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  expect(won).toHaveLength(1)
  won[0]!.value.release()
})

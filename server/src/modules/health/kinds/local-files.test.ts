import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCsv } from './csv.ts'
import { readMoment } from './files.ts'
import { folder } from './folder.ts'
import { jmeter } from './jmeter.ts'
import { junit } from './junit.ts'
import { readJunit, totalsOf } from './junit-xml.ts'
import { printedFiles } from './junit-pod.ts'
import { globPattern } from './support.ts'
import { runOne } from './testing.ts'

const check = (kind: unknown, raw: object) => runOne(kind as never, raw)
const root = mkdtempSync(join(tmpdir(), 'qd-folder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('folder', () => {
  const path = join(root, 'files')
  beforeAll(() => {
    mkdirSync(join(path, 'inner'), { recursive: true })
    const put = (name: string, size: number, minutes: number) => {
      writeFileSync(join(path, name), 'x'.repeat(size))
      const time = Date.now() / 1000 - minutes * 60
      utimesSync(join(path, name), time, time)
    }
    put('new.log', 10, 5)
    put('old.txt', 2000, 90)
    put('inner/deep.txt', 1, 600)
  })
  const run = (raw: object) => check(folder, { path, ...raw })
  test('results', async () => {
    const result = await run({
      test: { expr: "results.newest.name == 'new.log' && results.files.size() == 2 && results.availableSize > 0" },
    })
    expect(result).toMatchObject({
      pass: true,
      error: null,
      detail: { size: 2010, oldest: { name: 'old.txt' }, smallest: { name: 'new.log' }, largest: { size: 2000 } },
    })
  })
  test.each([
    [{ minCount: 3 }, '2 files, fewer than 3'],
    [{ maxCount: 1 }, '2 files, more than 1'],
    [{ recursive: true, maxCount: 2 }, '3 files, more than 2'],
    // Limits below an hour count exactly.
    [{ minAge: '10m' }, 'new.log is too new: younger than 10m'],
    [{ maxAge: '30m' }, 'old.txt is too old: older than 30m'],
    [{ minSize: '11' }, 'new.log is too small: 10 bytes, less than 11'],
    [{ maxSize: '1KB' }, 'old.txt is too large: 2000 bytes, more than 1KB'],
  ])('%j fails', async (raw, error) => {
    expect(await run(raw)).toMatchObject({ pass: false, error })
  })
  test.each([
    { minAge: '1m', maxAge: '2h', minSize: '5', maxSize: '1MB', minCount: 2, maxCount: 2 },
    { filter: { regex: '\\.log$' }, maxCount: 1, minCount: 1 },
    { filter: { minAge: '1h' }, maxCount: 1, minCount: 1 },
    { filter: { maxSize: '100' }, maxCount: 1, minCount: 1 },
    { filter: { since: 'now-30m' }, maxCount: 1, minCount: 1 },
    { availableSize: '1Ki', totalSize: '1Ki' },
  ])('%j passes', async (raw) => {
    expect(await run(raw)).toMatchObject({ pass: true, error: null })
  })
  test('space that is not there, a folder that is not there, nonsense', async () => {
    expect((await run({ availableSize: '900000TB' })).error).toContain('less than 900000TB')
    expect(await check(folder, { path: '/no/such', maxCount: 0 })).toMatchObject({ pass: true, detail: { files: [] } })
    expect(await run({ maxAge: 'soon' })).toMatchObject({ invalid: true })
    expect(await run({ filter: { regex: '(' } })).toMatchObject({ invalid: true })
  })
  test('date math', () => {
    const now = Date.parse('2026-03-04T05:06:07Z')
    expect(new Date(readMoment('now-1d/d', now)).toISOString()).toBe('2026-03-03T00:00:00.000Z')
    expect(readMoment('now-1h+30m', now)).toBe(now - 30 * 60_000)
    expect(readMoment('2026-01-01T00:00:00Z', now)).toBe(Date.parse('2026-01-01'))
  })
  test('globs', () => {
    expect(['a.txt', 'd/a.txt', 'x.log'].filter((name) => globPattern('**/*.txt').test(name))).toEqual([
      'a.txt',
      'd/a.txt',
    ])
    expect(globPattern('*.txt').test('d/a.txt')).toBe(false)
  })
})

const xml = `<?xml version="1.0"?>
<testsuites><testsuite name="web" time="1.5">
  <testcase name="works" classname="w" time="1"><properties><property name="k" value="v"/></properties><system-out>out</system-out></testcase>
  <testcase name="fails" classname="w" time="0.5"><failure message="nope">line 3 &lt;x&gt;</failure></testcase>
  <testcase name="later"><skipped/></testcase>
  <testsuite name="inner"><testcase name="breaks"><error message="bang"/></testcase></testsuite>
</testsuite></testsuites>`

describe('junit', () => {
  test('the parser', () => {
    const suites = readJunit(xml)
    expect(suites.map(({ name, passed, failed, skipped, error }) => [name, passed, failed, skipped, error])).toEqual([
      ['web', 1, 1, 1, 0],
      ['inner', 0, 0, 0, 1],
    ])
    expect(suites[0]!.tests[0]).toMatchObject({ status: 'passed', properties: { k: 'v' }, stdout: 'out', duration: 1 })
    expect(suites[0]!.tests[1]).toMatchObject({ status: 'failed', message: 'nope', error: 'line 3 <x>' })
    expect(totalsOf(suites)).toMatchObject({ passed: 1, failed: 1, skipped: 1, error: 1 })
    expect(() => readJunit('<a>')).toThrow('not XML')
    expect(() => readJunit('<a/>')).toThrow('no testsuite')
  })
  test('failed cases fail it unless there is a test', async () => {
    const folderOf = join(root, 'junit')
    mkdirSync(folderOf)
    writeFileSync(join(folderOf, 'r.xml'), xml)
    expect(await check(junit, { testResults: folderOf })).toMatchObject({
      pass: false,
      error: '2 of 3 tests failed: fails, breaks',
    })
    expect(
      await check(junit, {
        testResults: folderOf,
        test: { expr: 'results.totals.failed == 1 && results.suites.size() == 2' },
      }),
    ).toMatchObject({ pass: true, error: null })
    expect(await check(junit, { testResults: '/no/such' })).toMatchObject({ invalid: true })
  })
  test('files printed by the pod', () => {
    const log = `=== quarterdeck file ./a.xml\n${btoa('<a/>')}\n=== quarterdeck file ./d/b.xml\n${btoa('<b/>')}\n`
    expect(printedFiles(log).map(({ path, content }) => [path, content.toString()])).toEqual([
      ['a.xml', '<a/>'],
      ['d/b.xml', '<b/>'],
    ])
  })
})

describe('jmeter', () => {
  // A program of that name that writes what the real one writes.
  const bin = join(root, 'bin')
  const path = process.env.PATH
  beforeAll(() => {
    mkdirSync(bin)
    const script =
      '#!/bin/bash\nwhile [ $# -gt 0 ]; do case "$1" in -l) out="$2";; -Jcode=*) code="${1#-Jcode=}";; esac; shift; done\nprintf \'timeStamp,elapsed,label,responseCode,responseMessage,success,failureMessage\\n1,100,"Home, page",200,OK,true,\\n2,150,Cart,%s,x,%s,"said ""no"""\\n\' "$code" "$([ "$code" = 200 ] && echo true || echo false)" > "$out"\n'
    writeFileSync(join(bin, 'jmeter'), script)
    chmodSync(join(bin, 'jmeter'), 0o755)
    process.env.PATH = `${bin}:${path}`
  })
  afterAll(() => void (process.env.PATH = path))
  test('every sample must succeed within the time', async () => {
    const jmx = { value: '<jmeterTestPlan/>' }
    expect(await check(jmeter, { jmx, properties: ['code=200'] })).toMatchObject({ pass: true, duration: 250 })
    expect(await check(jmeter, { jmx, properties: ['code=500'] })).toMatchObject({
      pass: false,
      error: 'Cart: 500: said "no"',
    })
    expect((await check(jmeter, { jmx, properties: ['code=200'], responseDuration: '200ms' })).error).toContain(
      'took 250 ms, more than 200ms',
    )
  })
  test('CSV', () => {
    expect(readCsv('a,b\r\n"x, ""y""\nz",2\n')).toEqual([{ a: 'x, "y"\nz', b: '2' }])
  })
})

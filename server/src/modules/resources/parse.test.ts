import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findFiles } from './files.ts'
import { commandLimits, parseFile, watchedLimits } from './parse.ts'
import { describeProblem } from './problem.ts'
import { validateDocument } from './validate.ts'

const parse = (text: string | Buffer) => parseFile('a.yaml', Buffer.from(text))
const canary = (name: string) =>
  `apiVersion: canaries.flanksource.com/v1\nkind: Canary\nmetadata: {name: ${name}}\nspec: {schedule: "@every 1m"}\n`
const words = (text: string | Buffer) => parse(text).problems.map(describeProblem)

describe('reading', () => {
  test('several YAML documents, empty ones left out', () => {
    const { documents, problems } = parse(`---\n${canary('a')}---\n# nothing\n---\n${canary('b')}---\n`)
    expect(problems).toEqual([])
    expect(documents.map((each) => [each.index, each.line])).toEqual([
      [1, 2],
      [2, 9],
    ])
  })

  test('JSON, one object or a List', () => {
    const one = { apiVersion: 'canaries.flanksource.com/v1', kind: 'Canary', metadata: { name: 'a' }, spec: {} }
    expect(parse(JSON.stringify(one)).documents.map((each) => each.value)).toEqual([one])
    const list = JSON.stringify({ kind: 'List', apiVersion: 'v1', items: [one, one] }, null, 2)
    expect(parse(list).documents.map((each) => each.line)).toEqual([5, 13])
  })

  test('merge keys merge, numbers are numbers, 0777 is decimal, NO is text', () => {
    const { documents } = parse('base: &base {a: 1, b: 2}\nx:\n  <<: *base\n  b: 3\nmode: 0777\nn: NO\n')
    expect(documents[0]?.value).toEqual({ base: { a: 1, b: 2 }, x: { a: 1, b: 3 }, mode: 777, n: 'NO' })
  })

  test('a byte order mark and Windows line ends are fine', () => {
    const { documents, problems } = parse(`\uFEFF${canary('a').replaceAll('\n', '\r\n')}`)
    expect([documents.length, problems]).toEqual([1, []])
  })
})

describe('what is wrong is said with its place, and the others come through', () => {
  test('a syntax error in the second of three', () => {
    const { documents, problems } = parse(`${canary('a')}---\na: [1, 2\n---\n${canary('c')}`)
    expect(documents).toHaveLength(2)
    expect(problems[0]).toMatchObject({ file: 'a.yaml', document: 2, line: 7 })
  })

  test('a key given twice', () =>
    expect(words('a:\n  b: 1\n  c: 2\n  b: 3\n')).toEqual(['a.yaml, document 1, line 4: the key "b" is given twice']))
  test('a tag nobody knows', () =>
    expect(words('a: !secret x')[0]).toMatch(/^a.yaml, document 1, line 1: Unresolved tag/))
  test('an alias without its anchor', () => expect(words('a: *b')[0]).toContain('line 1'))
  test('tabs for indentation', () => expect(words('a:\n\t- b')[0]).toContain('line 2'))
})

describe('what would hurt', () => {
  const bomb = `a: &a ["x","x","x","x","x","x","x","x","x"]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h']
    .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`)
    .join('\n')}`

  test('an alias bomb', () =>
    expect(words(bomb)).toEqual(['a.yaml, document 1, line 1: its aliases expand to too much']))
  test('an anchor that holds itself', () => {
    expect(words('a: &a [*a]')).toEqual(['a.yaml, document 1, line 1: an anchor refers to itself'])
    expect(words('a: &a {b: {c: *a}}')).toEqual(['a.yaml, document 1, line 1: an anchor refers to itself'])
  })
  test('a merge that merges itself', () => expect(words('a: &a\n  <<: *a\n  x: 1')).toHaveLength(1))
  test('ten megabytes', () => {
    const before = performance.now()
    expect(words(Buffer.alloc(10 * 1024 * 1024, 'a: b\n'))).toEqual([
      `a.yaml: the file is larger than ${watchedLimits.bytes / 1024} KiB; split it`,
    ])
    expect(performance.now() - before).toBeLessThan(200)
  })
  test('how much a file may hold depends on who reads it: an export of a large server goes in again by command', () => {
    const bytes = Buffer.from(Array.from({ length: 5 }, (_, n) => `kind: Canary\nname: a${n}\n`).join('---\n'))
    const few = parseFile('a.yaml', bytes, { ...watchedLimits, documents: 4 })
    expect(few.problems.map(describeProblem)).toEqual(['a.yaml: a file has at most 4 documents'])
    expect(parseFile('a.yaml', bytes, { bytes: bytes.length, documents: 5 }).documents).toHaveLength(5)
    expect(commandLimits.documents).toBeGreaterThanOrEqual(100_000)
    expect(commandLimits.bytes).toBeGreaterThan(watchedLimits.bytes)
  })
  test('bytes that are no text', () =>
    expect(words(Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]))).toEqual(['a.yaml: the file is not UTF-8 text']))
  test('a null character, half a character', () => {
    expect(words('a: "x\\0y"')).toEqual(['a.yaml, document 1, line 1: it holds a null character'])
    expect(words('a: "\\ud800"')[0]).toMatch(/half a character|escape/)
    expect(words('a: "an escaped backslash: \\\\ud800"')).toEqual([])
  })

  test.each([
    ['brackets', '['.repeat(200_000)],
    ['braces', '{a: '.repeat(100_000)],
    ['closed brackets', `${'['.repeat(3000)}${']'.repeat(3000)}`],
    ['dashes', '- '.repeat(200_000)],
    ['questions', '? '.repeat(200_000)],
    ['colons', 'a: '.repeat(100_000)],
    ['indents', Array.from({ length: 1200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['JSON', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
  ])('nesting without end: %s', (_, text) => {
    const { documents, problems } = parse(text)
    expect(documents).toEqual([])
    expect(problems.length).toBeGreaterThan(0)
  })

  test('ordinary depth is fine', () => {
    const deep = Array.from({ length: 40 }, (_, depth) => `${'  '.repeat(depth)}a:`).join('\n')
    expect(parse(`${deep} 1`).problems).toEqual([])
    expect(parse(`${'['.repeat(60)}${']'.repeat(60)}`).problems).toEqual([])
    expect(parse(`script: |\n${'  '.repeat(150)}indented text - of a script: ? - [ { \n`).problems).toEqual([])
  })

  test.each([
    ['anchors', '&a '.repeat(30_000)],
    ['quotes', '"'.repeat(50_000)],
    ['separators', '\n---'.repeat(100_000)],
    ['many keys', Array.from({ length: 8000 }, (_, n) => `k${n}: ${n}`).join('\n')],
    ['one key again and again', 'a: 1\n'.repeat(20_000)],
  ])('a lot of %s takes no time without end', (_, text) => {
    const before = performance.now()
    parse(text)
    expect(performance.now() - before).toBeLessThan(8000)
  })

  test('nothing reaches the prototype', () => {
    const { documents } = parse('__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}')
    expect(documents).toHaveLength(1)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('checking', () => {
  const check = (text: string) => {
    const [source] = parse(text).documents
    const result = validateDocument(source!)
    return result.ok ? 'ok' : result.problems.map(describeProblem)
  }
  const document = (changes: string) =>
    `apiVersion: canaries.flanksource.com/v1\nkind: Canary\nmetadata:\n  name: shop\n${changes}`

  test.each([
    ['spec:\n  schedule: "@every 1m"\n  http:\n    - name: a\n', 'ok'],
    ['  labels: {version: 1.5, on: true}\nspec: {}\n', 'ok'],
    ['  creationTimestamp: "2024-01-01T00:00:00Z"\n  resourceVersion: "12"\nspec: {}\nstatus: {}\n', 'ok'],
    ['', ['a.yaml, document 1, line 1, spec: spec is needed and must be an object']],
    ['spec: [1]\n', ['a.yaml, document 1, line 5, spec: spec is needed and must be an object']],
    [
      'spec:\n  schedule: often\n',
      [expect.stringMatching(/^a.yaml, document 1, line 6, spec.schedule: A cron schedule has five fields/)],
    ],
    ['spec:\n  htttp: []\n', ['a.yaml, document 1, line 6, spec.htttp: this key is not known']],
    ['spec:\n  http: {}\n', [expect.stringMatching(/^a.yaml, document 1, line 6, spec.http: .*array/)]],
    [
      'spec:\n  http:\n    - name: fine\n    - 5\n',
      [expect.stringMatching(/^a.yaml, document 1, line 8, spec.http\[1\]: /)],
    ],
    [
      '  namespace: a/b\nspec: {}\n',
      ['a.yaml, document 1, line 5, metadata.namespace: metadata.namespace cannot hold a slash or control characters'],
    ],
    ['  uid: nonsense\nspec: {}\n', ['a.yaml, document 1, line 5, metadata.uid: metadata.uid must be a uuid']],
    ['  labels: [a]\nspec: {}\n', [expect.stringContaining('line 5, metadata.labels')]],
    ['  labels: {a: {b: c}}\nspec: {}\n', [expect.stringContaining('metadata.labels.a: must be text')]],
  ])('%j', (changes, expected) => expect(check(document(changes))).toEqual(expected))

  test('what is no document at all is told in one line', () => {
    expect(check('{"name": "a-package", "version": "1.0.0"}')).toEqual([
      'a.yaml, document 1, line 1: a document is an object with apiVersion, kind, metadata and spec',
    ])
  })

  test('kinds and versions nobody knows', () => {
    expect(check('apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {}')).toEqual([
      expect.stringContaining('line 2, kind: kind must be one of Connection, Team, Canary'),
    ])
    expect(check('apiVersion: v1\nkind: Canary\nmetadata: {name: a}\nspec: {}')).toEqual([
      'a.yaml, document 1, line 1, apiVersion: must be canaries.flanksource.com/v1',
    ])
    expect(check('- a\n- b')).toEqual([
      'a.yaml, document 1, line 1: a document is an object with apiVersion, kind, metadata and spec',
    ])
    expect(check('just text')).toEqual([
      'a.yaml, document 1, line 1: a document is an object with apiVersion, kind, metadata and spec',
    ])
  })

  test('a notification tells exactly one', () => {
    const notification = (to: string) =>
      `apiVersion: mission-control.flanksource.com/v1\nkind: Notification\nmetadata: {name: n}\nspec:\n  events: [check.failed]\n  to: ${to}`
    expect(check(notification('{email: a@b.test}'))).toBe('ok')
    expect(check(notification('{email: a@b.test, team: x}'))).toEqual([
      expect.stringContaining('line 6, spec.to: exactly one of person'),
    ])
    expect(check(notification('{}'))).toEqual([expect.stringContaining('exactly one of person')])
    expect(check(notification('{email: nobody}'))).toEqual([
      expect.stringContaining('spec.to.email: must be an e-mail address'),
    ])
  })
})

test('a folder of more files than are read is refused, since what is not read would look removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-many-'))
  for (let n = 0; n <= 3; n++) writeFileSync(join(folder, `${n}.yaml`), '')
  await expect(findFiles(folder, 3)).rejects.toThrow(`There are more than 3 files of documents in ${folder}.`)
  expect(await findFiles(folder, 4)).toHaveLength(4)
  rmSync(folder, { recursive: true })
})

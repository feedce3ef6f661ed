import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { checkFailure, failureLines, failuresIn, playwrightFailures, vitestFailures } from './failures.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('a failed test is named with its file, its titles and the first words of the reason', () => {
  const report = {
    testResults: [
      {
        name: join(root, 'server/src/a.db.test.ts'),
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', ancestorTitles: [], title: 'fine', failureMessages: [] },
          {
            status: 'failed',
            ancestorTitles: ['reading'],
            title: '[API-01] pages',
            failureMessages: ['\u001B[31mAssertionError: expected 1 to be 2\u001B[39m\n    at a.db.test.ts:3'],
          },
        ],
      },
      { name: join(root, 'web/src/b.test.ts'), status: 'failed', message: '\nno such file', assertionResults: [] },
      {
        name: join(root, 'web/src/hook.test.ts'),
        status: 'failed',
        message: 'the hook broke',
        assertionResults: [{ status: 'pending', ancestorTitles: [], title: 'never ran', failureMessages: [] }],
      },
      { name: join(root, 'web/src/c.test.ts'), status: 'passed', message: '', assertionResults: [] },
    ],
  }
  expect(vitestFailures(report)).toEqual([
    'server/src/a.db.test.ts > reading > [API-01] pages: AssertionError: expected 1 to be 2',
    'web/src/b.test.ts > failed outside its tests: no such file',
    'web/src/hook.test.ts > failed outside its tests: the hook broke',
  ])
})

test('a failed journey is named; one that passed at its second try is not', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    file: 'shell.e2e.ts',
    tests: [{ status, results: messages.map((message) => ({ error: { message } })) }],
  })
  const report = {
    suites: [
      {
        title: 'shell.e2e.ts',
        file: 'shell.e2e.ts',
        specs: [
          spec('signs in', 'unexpected', 'first', '\u001B[2mError: second\u001B[22m\nmore'),
          spec('ok', 'flaky', 'x'),
        ],
        suites: [{ title: 'the menu', file: 'shell.e2e.ts', specs: [spec('opens', 'unexpected')] }],
      },
    ],
    errors: [{ message: 'Error: no browser' }],
  }
  expect(playwrightFailures(report)).toEqual([
    'e2e/shell.e2e.ts > signs in: Error: second',
    'e2e/shell.e2e.ts > the menu > opens',
    'e2e > could not run: Error: no browser',
  ])
})

test('a failed check names the files it complains of', () => {
  expect(
    checkFailure('types', "server/src/app.ts(3,7): error TS2322: Type 'string'\nserver/src/app.ts(9,1): error"),
  ).toBe('types check: server/src/app.ts')
  expect(checkFailure('lint', ' ╭─[web/src/ui/a.tsx:3:7]')).toBe('lint check: web/src/ui/a.tsx')
  expect(checkFailure('format', 'a.ts (1ms)\nb.ts\nc.ts\nd.ts\ne.ts\nf.ts')).toBe(
    'format check: a.ts, b.ts, c.ts, d.ts, e.ts and 1 more',
  )
  expect(checkFailure('lint', '')).toBe('lint check')
})

test('the lines are read back from the output of another script, and a long list is cut', () => {
  const many = Array.from({ length: 53 }, (_, index) => `test ${index}`)
  const lines = failureLines(many)
  expect(lines.split('\n').slice(49)).toEqual(['failed: test 49', 'failed: 3 more, see above', ''])
  expect(failuresIn(`words\n${failureLines(['a > b: c'])}1 passed, 1 failed\n`)).toEqual(['a > b: c'])
  expect(failureLines([])).toBe('')
})

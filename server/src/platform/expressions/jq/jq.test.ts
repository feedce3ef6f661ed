import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { OutOfSteps } from '../errors.ts'
import { Run } from '../run.ts'
import { jq, jqAll } from './jq.ts'

const limits = { steps: 1_000_000, output: 1_000_000 }
const run = () => new Run(limits)

interface Case {
  input: unknown
  program: string
  outputs: unknown[]
  failed: boolean
}
const cases = JSON.parse(readFileSync(new URL('../testdata/jq.json', import.meta.url), 'utf8')) as Case[]

describe('answers like the jq program', () => {
  test.each(cases)('$program', ({ input, program, outputs, failed }) => {
    if (failed) expect(() => jqAll(run(), program, input)).toThrow()
    else expect(jqAll(run(), program, input)).toEqual(outputs)
  })
})

test('one result is itself, several are a list, none is null', () => {
  expect(jq(run(), '.a', { a: 1 })).toBe(1)
  expect(jq(run(), '.[]', [1, 2])).toEqual([1, 2])
  expect(jq(run(), 'empty', 1)).toBeNull()
})

test('says what is wrong with a program', () => {
  expect(() => jq(run(), '.a |', {})).toThrow('jq: an expression is expected, not the end')
  expect(() => jq(run(), 'nope(1)', {})).toThrow('jq: nope/1 is not defined')
  expect(() => jq(run(), '.a.b', { a: 1 })).toThrow('jq: Cannot index number with "b"')
})

test.each([
  'def f: f; f',
  '[range(1e12)]',
  'repeat(1)',
  '[limit(1e9; repeat(.))]',
  'until(false; . + 1)',
  '"a" * 1e9',
  'reduce range(1e9) as $i ([]; . + [$i])',
])('cannot run for long: %s', (program) => {
  const started = performance.now()
  expect(() => jq(new Run({ steps: 200_000, output: 100_000 }), program, 0)).toThrow()
  expect(performance.now() - started).toBeLessThan(1_000)
})

test('running out of steps is told apart from a wrong program', () => {
  expect(() => jq(new Run({ steps: 1000, output: 1000 }), '[range(100000)]', 0)).toThrow(OutOfSteps)
})

test('has no way out of its input', () => {
  expect(jq(run(), '[env, $ENV]', null)).toEqual([{}, {}])
  expect(() => jq(run(), 'input', null)).toThrow()
  expect(jq(run(), '{"__proto__": 1} | keys', null)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

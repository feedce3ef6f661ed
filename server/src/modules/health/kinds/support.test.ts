import { expect, test } from 'vitest'
import { globPattern, patternOf } from './support.ts'

test('patterns that make others take for ever are answered at once', () => {
  const name = 'a'.repeat(200)
  const started = performance.now()
  expect(patternOf('^(a+)+$', 'filter.regex').test(`${name}!`)).toBe(false)
  expect(globPattern('*a*a*a*a*a*a*a*a*a*a*a*a*b').test(name)).toBe(false)
  expect(performance.now() - started).toBeLessThan(1000)
})

test('a star stops at a slash, two do not, everything else is meant as it is written', () => {
  const fits = (glob: string, text: string) => globPattern(glob).test(text)
  expect(fits('/tmp/*.log', '/tmp/a.log')).toBe(true)
  expect(fits('/tmp/*.log', '/tmp/b/a.log')).toBe(false)
  expect(fits('/tmp/**/*.log', '/tmp/b/c/a.log')).toBe(true)
  expect(fits('/tmp/**/*.log', '/tmp/a.log')).toBe(true)
  expect(fits('a?c', 'abc')).toBe(true)
  expect(fits('a.c', 'abc')).toBe(false)
  expect(fits('a+(b)[c]{1}^$|\\', 'a+(b)[c]{1}^$|\\')).toBe(true)
  expect(fits('*', 'ü 🙂')).toBe(true)
})

test('a pattern that is none says which field and why', () => {
  expect(() => patternOf('a(', 'filter.regex')).toThrow(/^filter\.regex: the regular expression "a\(" is wrong/)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ExpressionError, OutOfSteps } from '../errors.ts'
import { Run } from '../run.ts'
import { type CelKind, evaluateCel } from './cel.ts'

const now = Date.parse('2024-06-01T12:00:00Z')
const run = (steps = 1_000_000) => new Run({ steps, output: 1_000_000 }, now)
const cel = (text: string, env: Record<string, unknown> = {}, kind: CelKind = 'product') =>
  evaluateCel(text, env, run(), kind).value
const printed = (text: string, env: Record<string, unknown> = {}) => evaluateCel(text, env, run(), 'product').text

describe('numbers', () => {
  test('whole numbers of JSON are ints, and mix with fractions', () => {
    expect(cel('a + 1', { a: 2 })).toBe(3)
    expect(cel('a / 2', { a: 5 })).toBe(2)
    expect(cel('a / 2.0', { a: 5 })).toBe(2.5)
    expect(cel('a * 1.5', { a: 2 })).toBe(3)
    expect(cel('a == 2.0', { a: 2 })).toBe(true)
    expect(cel('[2.0][0] / 4')).toBe(0.5)
    expect(cel('math.Div(5, 1) / 2')).toBe(2.5)
  })
  test('64 bits are kept in texts', () => {
    expect(printed('9223372036854775807')).toBe('9223372036854775807')
    expect(printed('-9223372036854775808')).toBe('-9223372036854775808')
    expect(() => cel('9223372036854775807 + 1')).toThrow('integer overflow')
  })
})

describe('prints results like Go', () => {
  test.each([
    ["['a', 'b']", '[a b]'],
    ["{'b': 1, 'a': [1, 2.5]}", 'map[a:[1 2.5] b:1]'],
    ['null', '<nil>'],
    ['optional.none()', '<nil>'],
    ['m.?zzz', '<nil>'],
    ["duration('90m')", '1h30m0s'],
    ["timestamp('2024-01-02T03:04:05.5Z')", '2024-01-02 03:04:05.5 +0000 UTC'],
    ["b'hi'", '[104 105]'],
    ['1.0', '1'],
    ['1500000.0', '1500000'],
    ['true', 'true'],
    ['int', 'int'],
  ])('%s is %s', (text, expected) => expect(printed(text, { m: {} })).toBe(expected))
})

describe('optional values', () => {
  const env = { m: { a: { b: 1 }, n: null }, l: [1, 2] }
  test.each([
    ['m.?a.?b.orValue(9)', 1],
    ['m.?x.?b.orValue(9)', 9],
    ['m.?x.b.orValue(9)', 9],
    ['l[?5].orValue(7)', 7],
    ['l[?0].orValue(7)', 1],
    ['m.?x.or(m.?a).value().b', 1],
    ['m.?a.hasValue()', true],
    ['m.?x.hasValue()', false],
    ['m.?a.optMap(v, v.b + 1).orValue(0)', 2],
    ['m.?x.optMap(v, v.b + 1).orValue(0)', 0],
    ['m.?a.optFlatMap(v, v.?b).value()', 1],
    ['optional.ofNonZeroValue(0).hasValue()', false],
    ['[?m.?x, ?m.?a]', [{ b: 1 }]],
    ["{?'k': m.?x, 'j': 1}", { j: 1 }],
    ['optional.unwrap([optional.of(1), optional.none()])', [1]],
    ['l.first().value() + l.last().value()', 3],
    ['has(m.?a.b)', true],
    ['has(m.a.zz)', false],
    ['has(l[0].x)', 'ERROR'],
    ['has(m.n.x)', false],
  ])('%s', (text, expected) => {
    if (expected === 'ERROR') expect(() => cel(text, env)).toThrow()
    else expect(cel(text, env)).toEqual(expected)
  })
})

describe('macros with two variables', () => {
  test.each([
    ['[3, 4].all(i, v, v > i)', true],
    ["{'a': 1}.exists(k, v, k == 'a' && v == 1)", true],
    ['[1, 2, 2].existsOne(i, v, v == 2 && i == 2)', true],
    ['[5, 6].transformList(i, v, i + v)', [5, 7]],
    ['[5, 6].transformList(i, v, i > 0, v)', [6]],
    ["{'a': 1, 'b': 2}.transformMap(k, v, v * 10)", { a: 10, b: 20 }],
    ["{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 10)", { b: 20 }],
    ["{'a': 'x'}.transformMapEntry(k, v, {v: k})", { x: 'a' }],
    ["[{'n': 2}, {'n': 1}].sortBy(x, x.n).map(x, x.n)", [1, 2]],
    ['cel.bind(x, 5, x * x)', 25],
  ])('%s', (text, expected) => expect(cel(text)).toEqual(expected))
})

describe('errors say where', () => {
  test.each<[string, string]>([
    ['code == 200 && jsn.ok', "undeclared reference to 'jsn' (line 1, column 16)"],
    ['a.b.c', 'no such key: c (line 1, column 5)'],
    ['a.b +\n  nope(1)', 'There is no function nope() (line 2, column 3)'],
    ['1 +', 'Unexpected token: EOF (line 1, column 4)'],
    ["'a' + 1", 'no such overload: string + int; use string(x) to join texts (line 1, column 1)'],
    ['size(1, 2)', 'size() cannot be called with 2 arguments (line 1, column 1)'],
    ['[1][4]', 'index out of bounds: 4, the list has 1 (line 1, column 1)'],
    ["'x'.matches('[')", 'regular expression'],
    ['has(1)', 'has() needs a field'],
    ['last_result()', 'last_result() is not available here'],
  ])('%s', (text, message) => {
    expect(() => cel(text, { code: 200, a: { b: {} } })).toThrow(message)
    expect(() => cel(text, { code: 200, a: { b: {} } })).toThrow(ExpressionError)
  })
  test('a failing side does not matter when the other decides', () => {
    expect(cel('nope == 1 || true')).toBe(true)
    expect(cel('false && nope == 1')).toBe(false)
  })
})

test('line breaks and comments are allowed, also inside texts', () => {
  expect(cel('a == 1 // the first\n && b == "x\ny"', { a: 1, b: 'x y' })).toBe(true)
  expect(cel("'http://x' + a // c", { a: '!' })).toBe('http://x!')
})

test('names of functions and types do not hide variables', () => {
  expect(
    cel('data.x + test.y + time.z + math.w + url', {
      data: { x: 'a' },
      test: { y: 'b' },
      time: { z: 'c' },
      math: { w: 'd' },
      url: 'e',
    }),
  ).toBe('abcde')
  expect(cel('[1].map(math, math + 1)')).toEqual([2])
  expect(cel('string + int', { string: 'a', int: 'b' })).toBe('ab')
})

test('plain CEL knows nothing of the product', () => {
  expect(cel('"a".upperAscii() + b', { b: 'c' }, 'plain')).toBe('Ac')
  expect(() => cel('k8s.isHealthy(x)', { x: {} }, 'plain')).toThrow('There is no function isHealthy()')
  expect(() => cel('x.toJSON()', { x: {} }, 'plain')).toThrow('There is no function toJSON()')
})

describe('bounded', () => {
  test.each([
    'lists.range(1000).map(a, lists.range(1000).map(b, lists.range(1000).map(c, a)))',
    "'x'.repeat(1000000000)",
    'lists.range(100000000)',
    "'abcdefgh'.indent(1000000000, 'x')",
    '"%0999999999d".format([1])',
    "[1,2,3].map(a, 'x'.repeat(900000)).map(a, a + a + a)",
    'math.Seq([1, 1000000000])',
    'jq("[range(1e9)]", 1)',
    'random.String(100000000)',
  ])('%s', (text) => {
    const started = process.cpuUsage()
    expect(() => evaluateCel(text, {}, run(100_000), 'product')).toThrow()
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(400)
  })
  test('a large environment costs only what is read of it', () => {
    const env = {
      body: Array.from({ length: 50_000 }, (_, id) => ({ id })),
      code: 200,
      deep: { big: new Array(50_000).fill(0), ok: true },
    }
    expect(evaluateCel('code == 200 && deep.ok && body[3].id == 3', env, run(100), 'product').value).toBe(true)
    expect(() => evaluateCel('body.size() > 1', env, run(1_000), 'product')).toThrow(OutOfSteps)
  })
  test('deep nesting and long texts are refused, not crashed on', () => {
    expect(() => cel('('.repeat(5_000) + '1' + ')'.repeat(5_000))).toThrow(ExpressionError)
    expect(() => cel('-'.repeat(60_000) + '1')).toThrow()
    expect(() => cel('a'.repeat(70_000))).toThrow('longer than')
  })
})

test('never fails in any way but its own errors', () => {
  const piece = fc.constantFrom(
    'a',
    'b.c',
    '1',
    '2.5',
    "'x'",
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    ':',
    ',',
    '.',
    '?',
    '+',
    '-',
    '*',
    '/',
    '%',
    '==',
    '<',
    '&&',
    '||',
    '!',
    ' in ',
    'has(',
    'size(',
    '.map(x, ',
    '.filter(x, ',
    '.?',
    '[?',
    'x',
    '"',
    '\\',
    '\n',
    '//',
    'b"é"',
    'true',
    'null',
    '.matches(',
    '0x',
    '1u',
    '@',
    '日',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (parts) => {
      try {
        evaluateCel(parts.join(''), { a: 1, b: { c: [1, 'x', null] } }, run(10_000), 'product')
      } catch (error) {
        if (!(error instanceof ExpressionError) && !(error instanceof OutOfSteps)) throw error
      }
    }),
    { numRuns: 2_000 },
  )
})

test('prototypes cannot be reached or changed', () => {
  for (const text of ['a.constructor', 'a.__proto__', "a['__proto__']", "''.constructor", 'a.toString', '[].length']) {
    expect(() => cel(text, { a: {} })).toThrow()
  }
  expect(cel("{'__proto__': {'polluted': 1}}.keys()")).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

import { isCelError, isCelList, isCelMap, isCelUint, run as oracle } from '@bufbuild/cel'
import { strings } from '@bufbuild/cel/ext'
import { describe, expect, test } from 'vitest'
import { Run } from '../run.ts'
import { toHost } from '../values/values.ts'
import { compileCel } from './compile.ts'
import { standardRegistry } from './standard.ts'

const registry = standardRegistry()
const variables = {
  s: 'hello wörld',
  n: 7n,
  d: 2.5,
  t: true,
  nothing: null,
  l: [3n, 1n, 2n],
  words: ['a', 'bb', 'ccc'],
  m: new Map<string, unknown>([
    ['a', 1n],
    ['b', new Map([['c', 'deep']])],
    ['list', [1n, 2n]],
  ]),
}
const env = {
  s: variables.s,
  n: 7,
  d: 2.5,
  t: true,
  nothing: null,
  l: [3, 1, 2],
  words: variables.words,
  m: { a: 1, b: { c: 'deep' }, list: [1, 2] },
}

function ours(expression: string): unknown {
  try {
    return toHost(compileCel(expression, registry).evaluate(env, new Run({ steps: 1_000_000, output: 1_000_000 })))
  } catch {
    return 'ERROR'
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (isCelUint(value)) return Number(value.value)
  if (isCelList(value)) return [...value].map(plain)
  if (isCelMap(value)) return Object.fromEntries([...value].map(([key, item]) => [String(key), plain(item)]))
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value
}

function theirs(expression: string): unknown {
  try {
    const result = oracle(expression, variables as never, { funcs: strings })
    return isCelError(result) ? 'ERROR' : plain(result)
  } catch {
    return 'ERROR'
  }
}

const expressions = `
1 + 2 * 3 - 4
7 / 2
-7 / 2
7 % 3
-7 % 3
7.0 / 2.0
1 / 0
1 % 0
1.0 / 0.0
9223372036854775807 + 1
-9223372036854775808 - 1
9223372036854775807 * 2
-(-9223372036854775808)
9223372036854775808
0xff + 1
1u + 2u
1u - 2u
18446744073709551615u + 1u
5u / 2u
1e3
-2.5e-3
1 == 1.0
1 == 1u
1.0 == 1u
1 == 2
'a' == 1
null == null
null == 1
[1, 2] == [1, 2]
[1, 2] == [2, 1]
[1] == [1.0]
{'a': 1} == {'a': 1}
{'a': 1, 'b': 2} == {'b': 2, 'a': 1}
{'a': 1} == {'a': 2}
1 != 2
1 < 2.0
2u > 1
'a' < 'b'
'B' < 'a'
b'a' < b'b'
false < true
1 < 'a'
true && false
true || false
!true
true && (1 / 0 == 1)
false && (1 / 0 == 1)
(1 / 0 == 1) && false
true || (1 / 0 == 1)
(1 / 0 == 1) || true
(1 / 0 == 1) || false
true ? 1 : 2
false ? 1 : 2
1 ? 2 : 3
n > 5 ? 'big' : 'small'
'a' + 'b'
[1] + [2, 3]
b'a' + b'b'
'a' + 1
'x' in ['x', 'y']
1 in [1.0]
4 in l
'a' in m
'z' in m
m.a
m.b.c
m['b']['c']
m.zzz
m.list[1]
m.list[5]
m.list[-1]
l[0]
s.nope
undefined_variable
has(m.a)
has(m.zzz)
has(m.b.c)
has(m.zzz.c)
size('wörld')
size([1, 2])
size({'a': 1})
size(b'abc')
'abc'.size()
l.size()
size(1)
l.all(x, x > 0)
l.all(x, x > 1)
l.exists(x, x == 2)
l.exists(x, x == 9)
l.exists_one(x, x > 2)
l.exists_one(x, x > 1)
l.map(x, x * 2)
l.map(x, x > 1, x * 2)
l.filter(x, x > 1)
m.all(k, k != 'z')
m.exists(k, k == 'a')
{'a': 1, 'b': 2}.map(k, k)
[1, 2].map(x, [3, 4].map(y, x * y))
[1, 'a', true].filter(x, x == 'a')
[0, 1].exists(x, 1 / x == 1)
[0, 1].all(x, 1 / x == 1)
[0, 2].all(x, 1 / x == 1)
l.map(x, y)
'hello'.startsWith('he')
'hello'.endsWith('lo')
'hello'.contains('ell')
'hello'.matches('h.*o')
'hello'.matches('^x')
matches('hello', 'l+')
'hello'.matches('[')
'aaa'.matches('^(a+)+$')
int('42')
int('-7')
int('x')
int('')
int(' 1')
int(3.9)
int(-3.9)
int(1e30)
int(5u)
int(timestamp('2009-02-13T23:31:30Z'))
uint(5)
uint(-1)
uint('7')
double(3)
double('2.5')
double('1e3')
double('abc')
double('-Inf') < 0.0
string(1)
string(2.5)
string(1.0)
string(true)
string(1u)
string(b'abc')
string('x')
string(timestamp('2009-02-13T23:31:30Z'))
string(duration('1h'))
string(duration('1.5s'))
bool('true')
bool('0')
bool('x')
bytes('abc')
bytes('é')
type(1) == int
type(1.0) == double
type('a') == string
type([]) == list
type({}) == map
type(null) == null_type
type(true) == bool
type(int) == type
type(b'') == bytes
type(1u) == uint
dyn(1) == 1
dyn('a') == 'a'
timestamp('2009-02-13T23:31:30Z') == timestamp('2009-02-14T00:31:30+01:00')
timestamp('2009-02-13T23:31:30Z') < timestamp('2009-02-14T00:31:30Z')
timestamp('2009-02-13T23:31:30.123Z').getMilliseconds()
timestamp('2009-02-13T23:31:30Z').getFullYear()
timestamp('2009-02-13T23:31:30Z').getMonth()
timestamp('2009-02-13T23:31:30Z').getDate()
timestamp('2009-02-13T23:31:30Z').getDayOfMonth()
timestamp('2009-02-13T23:31:30Z').getDayOfWeek()
timestamp('2009-02-13T23:31:30Z').getDayOfYear()
timestamp('2009-02-13T23:31:30Z').getHours()
timestamp('2009-02-13T23:31:30Z').getMinutes()
timestamp('2009-02-13T23:31:30Z').getSeconds()
timestamp('2009-02-13T23:31:30Z').getHours('Europe/Berlin')
timestamp('2009-02-13T23:31:30Z').getDate('Australia/Sydney')
timestamp('2009-02-13T23:31:30Z').getDayOfMonth('America/New_York')
timestamp('2009-02-13T23:31:30Z').getHours('-02:00')
timestamp('2009-02-13T23:31:30Z').getMinutes('Asia/Kathmandu')
timestamp('nope')
timestamp('2009-13-13T23:31:30Z')
timestamp(1234567890) == timestamp('2009-02-13T23:31:30Z')
timestamp('2009-02-13T23:31:30Z') + duration('1h') == timestamp('2009-02-14T00:31:30Z')
timestamp('2009-02-13T23:31:30Z') - duration('24h') == timestamp('2009-02-12T23:31:30Z')
timestamp('2009-02-14T00:31:30Z') - timestamp('2009-02-13T23:31:30Z') == duration('1h')
duration('1h') + duration('30m') == duration('90m')
duration('1h') - duration('90m') == duration('-30m')
duration('90m') > duration('1h')
duration('90m').getHours()
duration('90m').getMinutes()
duration('90m').getSeconds()
duration('123.321456789s').getMilliseconds()
duration('1h1m1s1ms1us1ns') == duration('3661001001001ns')
duration('x')
duration('1.5h') == duration('90m')
'a' in {'a': 1}
2 in {1: 'a', 2: 'b'}
{1: 'a'}[1]
{1: 'a'}[1.0]
{true: 'yes'}[true]
{'a': 1}.a
{'a': 1, 'a': 2}
'\\u00e9' == 'é'
"tab\\tnew\\nline"
r'raw\\n'
'''triple 'quoted' text'''
b'\\x41\\101'
'tacocat'.charAt(3)
'tacocat'.charAt(7)
'tacocat'.charAt(30)
'tacocat'.indexOf('ac')
'tacocat'.indexOf('x')
'tacocat'.indexOf('a', 3)
'ta©o©αT'.indexOf('αT')
'tacocat'.indexOf('a', 30)
'tacocat'.indexOf('')
'tacocat'.lastIndexOf('ac')
'tacocat'.lastIndexOf('a', 3)
'tacocat'.lastIndexOf('z')
'ta©o©αT'.lastIndexOf('©')
['a', 'b'].join()
['a', 'b'].join('-')
[1, 2].join('-')
'TacoCÆt'.lowerAscii()
'tacoCœt'.upperAscii()
'hello hello'.replace('he', 'we')
'hello hello'.replace('he', 'we', 1)
'hello hello'.replace('he', 'we', 0)
'hello hello'.replace('', '_')
'a,b,c'.split(',')
'a,b,c'.split(',', 2)
'a,b,c'.split(',', 0)
'a,b,c'.split(',', 1)
'abc'.split('')
'tacocat'.substring(4)
'tacocat'.substring(0, 4)
'ta©o©αT'.substring(2, 6)
'tacocat'.substring(40)
'tacocat'.substring(5, 2)
' \\f\\n\\r\\t\\vtext  '.trim()
'gums'.reverse()
'%s has %d'.format(['it', 3])
'%.3f and %e'.format([1.5, 1000.0])
'%x %X %o %b'.format([255, 255, 8, 5])
'%s'.format([[1, 'a', 2.5]])
'%s'.format([{'a': 1}])
'%s'.format([true])
'%d'.format(['x'])
'%s %s'.format(['a'])
'100%%'.format([])
strings.quote('first\\nsecond')
s.size() > 3 && s.startsWith('hello') || false
words.map(w, w.size())
words.filter(w, w.size() > 1).map(w, w + '!')
words.exists(w, w.startsWith('c'))
m.list.map(x, x + m.a)
nothing == null
[1, 2, 3].map(x, {'v': x})
{'k': [1, 2]}.k[1]
(1 + 2) * 3
-n
!t
- 5 + 3
1 +
((1)
[1, 2
{1}
'unclosed
a b
&&
`
  .split('\n')
  .filter(Boolean)

/** Where the other one strays from the language's definition; what the definition asks for stands here. */
const settled: [string, unknown][] = [
  ['9223372036854775808', 'ERROR'],
  ["matches('hello', 'l+')", true],
  ["int('')", 'ERROR'],
  ["int(' 1')", 'ERROR'],
  ["double('abc')", 'ERROR'],
  ["double('-Inf') < 0.0", true],
  ["string(duration('1.5s'))", '1.5s'],
  ["timestamp(1234567890) == timestamp('2009-02-13T23:31:30Z')", true],
  ["'hello hello'.replace('', '_')", '_h_e_l_l_o_ _h_e_l_l_o_'],
  ["'a,b,c'.split(',', 2)", ['a', 'b,c']],
  ["'gums'.reverse()", 'smug'],
]
const known = new Set(settled.map(([expression]) => expression))

describe('agrees with another implementation of CEL', () => {
  test.each(expressions.filter((expression) => !known.has(expression)))('%s', (expression) => {
    expect(ours(expression)).toEqual(theirs(expression))
  })
  test.each(settled)('%s', (expression, value) => expect(ours(expression)).toEqual(value))
})

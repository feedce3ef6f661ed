import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ExpressionError } from './errors.ts'
import { Expressions } from './expressions.ts'
import { templateStruct, templateText } from './struct-template.ts'

// A thread that was stopped starts anew from the sources, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const expressions = new Expressions()
beforeAll(async () => void (await expressions.evaluate({ javascript: '1' }, {})), 60_000)
afterAll(() => expressions.close())

const failure = async (work: Promise<unknown>): Promise<ExpressionError> => {
  try {
    await work
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new Error('it did not fail')
}
/** More rounds than the main thread does. */
const long = 'lists.range(9000).filter(x, x % 2 == 0).size()'

describe('which language', () => {
  test('JavaScript wins over template, template over CEL, CEL over a path', async () => {
    const all = { javascript: '"js"', template: 'go', expr: '"cel"', jsonPath: '$.a' }
    expect((await expressions.evaluate(all, { a: 'path' })).text).toBe('js')
    expect((await expressions.evaluate({ ...all, javascript: '' }, {})).text).toBe('go')
    expect((await expressions.evaluate({ expr: all.expr, jsonPath: all.jsonPath }, {})).text).toBe('cel')
    expect((await expressions.evaluate({ jsonPath: '$.a' }, { a: 'path' })).text).toBe('path')
    expect((await failure(expressions.evaluate({}, {}))).message).toBe('There is no expression')
  })
  test('a test must give true or false', async () => {
    expect(await expressions.isTrue({ expr: 'code == 200' }, { code: 200 })).toBe(true)
    expect(await expressions.isTrue({ template: '{{ eq .code 500 }}' }, { code: 200 })).toBe(false)
    expect((await failure(expressions.isTrue({ expr: '"maybe"' }, {}))).message).toBe(
      'true or false is expected, the expression gave "maybe"',
    )
  })
  test('mistakes are found without running', () => {
    expect(expressions.check({ expr: 'a +' })).toMatchObject({ kind: 'syntax', language: 'cel', line: 1, column: 4 })
    expect(expressions.check({ template: '{{ if }}' })).toMatchObject({ kind: 'syntax', language: 'gotemplate' })
    expect(expressions.check({ jsonPath: '$.[' })).toMatchObject({ language: 'jsonpath' })
    expect(expressions.check({ expr: 'a + 1' })).toBeUndefined()
  })
})

describe('in another thread', () => {
  test('what takes more than the main thread gives', async () => {
    expect(await expressions.cel(long, {})).toBe(4500)
    expect(await expressions.cel(long, {})).toBe(4500)
    expect(await expressions.render('{{ range seq 9000 }}{{ if eq . 9000 }}{{ . }}{{ end }}{{ end }}', {})).toBe('9000')
  })
  test('many at once, in any order, each with its own answer', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => expressions.cel(`${long} + n`, { n })))
    expect(answers).toEqual(Array.from({ length: 200 }, (_, n) => 4500 + n))
  })
  test('dates and bytes arrive as what they are', async () => {
    const value = await expressions.cel(`${long} > 0 ? [string(d), string(size(b))] : []`, {
      d: new Date('2024-01-02T03:04:05Z'),
      b: Buffer.from('abc'),
    })
    expect(value).toEqual(['2024-01-02T03:04:05Z', '3'])
  })
  test('steps run out there too', async () => {
    const error = await failure(
      expressions.cel(
        'lists.range(3000).map(a, lists.range(3000).map(b, a * b)).size()',
        {},
        { limits: { timeoutMs: 30_000 } },
      ),
    )
    expect(error).toMatchObject({ kind: 'limit', message: 'The expression needs more than 5,000,000 steps' })
  })
  test('one that runs too long is stopped, its neighbours are not', async () => {
    const slow = failure(
      expressions.cel(
        'lists.range(20000).map(a, lists.range(20000).map(b, a * b)).size()',
        {},
        { limits: { timeoutMs: 150, steps: 1e12 } },
      ),
    )
    const others = Promise.all(Array.from({ length: 5 }, () => expressions.cel(long, {})))
    expect((await slow).message).toBe('The expression ran longer than 150 ms and was stopped')
    expect(await others).toEqual([4500, 4500, 4500, 4500, 4500])
  })
})

describe('JavaScript', () => {
  const js = async (javascript: string, env = {}, options = {}) =>
    (await expressions.evaluate({ javascript }, env, options)).value
  test('the last statement is the result, variables are globals, underscore is there', async () => {
    expect(await js('var a = results.length; a + 1', { results: [1, 2] })).toBe(3)
    expect(await js('_.pluck(people, "name").join()', { people: [{ name: 'a' }, { name: 'b' }] })).toBe('a,b')
    expect((await expressions.evaluate({ javascript: 'JSON.stringify({a: [1]})' }, {})).text).toBe('{"a":[1]}')
    expect(await js('({a: [1, null]})')).toEqual({ a: [1, null] })
  })
  test('reaches nothing of the server', async () => {
    for (const name of ['process', 'require', 'fetch', 'Buffer', 'setTimeout', 'global', 'WebAssembly'])
      expect(await js(`typeof ${name}`)).toBe('undefined')
    expect(await js('this.constructor.constructor("return typeof process")()')).toBe('undefined')
    expect((await failure(js('import("fs")').then((value) => js(`${typeof value}.x`)))).language).toBe('javascript')
  })
  test('says what is wrong and where', async () => {
    expect((await failure(js('var x = 1\nfoo.bar'))).message).toMatch(/ReferenceError: .*foo.* \(line 2/)
    expect(await failure(js('var = 1'))).toMatchObject({ kind: 'syntax' })
    expect((await failure(js('throw new Error("stop")'))).message).toMatch(/^Error: stop/)
  })
  test('is stopped when it runs or grows too long', async () => {
    expect((await failure(js('while (true) {}', {}, { limits: { timeoutMs: 100 } }))).message).toBe(
      'The script ran longer than 100 ms and was stopped',
    )
    expect(
      await failure(js('var s = "xxxxxxxxxxxxxxxx"; while (true) s += s', {}, { limits: { memoryBytes: 4_000_000 } })),
    ).toMatchObject({ language: 'javascript' })
    expect((await failure(js('function f() { return f() + 1 } f()'))).message).toMatch(/stack|recursion/i)
    expect(await js('1 + 1')).toBe(2)
  })
})

describe('functions of the server', () => {
  const host = {
    last_result: async () => ({ status: true, n: 41 }),
    getAction: async (name: unknown) => ({ name, result: { stdout: '{"ok": 1}' } }),
    'catalog.traverse': async (id: unknown, types: unknown, direction: unknown) => [{ id, types, direction }],
  }
  test('are asked from every language', async () => {
    expect(await expressions.cel('last_result().n + 1', {}, { host })).toBe(42)
    expect(
      await expressions.render('{{ (getAction "a").result.stdout | json | toJSON }} {{ last_result.n }}', {}, { host }),
    ).toBe('{"ok":1} 41')
    expect(
      (await expressions.evaluate({ javascript: 'last_result().n + getAction("x").name' }, {}, { host })).value,
    ).toBe('41x')
    expect(await expressions.cel(`catalog.traverse('1', 'A/B', 'outgoing')`, {}, { host })).toEqual([
      { id: '1', types: 'A/B', direction: 'outgoing' },
    ])
    expect(await expressions.cel(`${long} + last_result().n`, {}, { host })).toBe(4541)
  })
  test('a script cannot hide that it asked', async () => {
    expect(
      (await expressions.evaluate({ javascript: 'try { last_result().n } catch (e) { "caught" }' }, {}, { host }))
        .value,
    ).toBe(41)
  })
  test('are not there unless offered, and their failures are told', async () => {
    expect((await failure(expressions.cel('last_result()', {}))).message).toContain(
      'last_result() is not available here',
    )
    const broken = { last_result: () => Promise.reject(new Error('no database')) }
    expect((await failure(expressions.cel('last_result()', {}, { host: broken }))).message).toBe(
      'last_result() failed: no database',
    )
  })
})

describe('struct templating', () => {
  const env = { name: 'web', params: { name: 'a b' }, n: 5 }
  test('every text of a document, with both spellings', async () => {
    const document = {
      url: 'http://$(name)/{{ .n }}',
      list: ['{{.name}}', 1, null],
      nested: { keep: '{{.name}}', raw: true },
    }
    const only = (path: readonly string[]) => path.at(-1) !== 'keep'
    expect(await templateStruct(expressions, document, env, { only })).toEqual({
      url: 'http://web/5',
      list: ['web', 1, null],
      nested: { keep: '{{.name}}', raw: true },
    })
  })
  test('an inserted value is never a template', async () => {
    const evil = { password: '$(name) {{ .name }} \ue000.name\ue001', name: 'leak' }
    expect(await templateText(expressions, 'x:$(password):{{ .password }}', evil)).toBe(
      'x:$(name) {{ .name }} \ue000.name\ue001:$(name) {{ .name }} \ue000.name\ue001',
    )
  })
  test('blanks around stay', async () => {
    expect(await templateText(expressions, '  $(name)\n', env)).toBe('  web\n')
  })
  test('a shell script keeps its own substitutions', async () => {
    const script =
      'echo $(date +%s) $(env) $(cat "$(params.name)") {{ .params.name | shellQuote }} $(.params.name) $(sort'
    expect(await templateText(expressions, script, { ...env, env: {} }, { unknown: 'keep' })).toBe(
      `echo $(date +%s) $(env) $(cat "a b") 'a b' a b $(sort`,
    )
  })
  test('an unknown name is an error otherwise', async () => {
    expect((await failure(templateText(expressions, '$(usernme)', env))).message).toContain(
      'function "usernme" not defined',
    )
    expect((await failure(templateText(expressions, '$(name', env))).message).toBe('$( is not closed')
  })
})

describe('JSON paths', () => {
  const env = {
    items: [
      { metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'x', 'app-x': '1' } } },
      { metadata: { name: 'b' } },
    ],
  }
  test.each<[string, unknown]>([
    ['$.items[0].metadata.name', 'a'],
    ['{.items[*].metadata.name}', ['a', 'b']],
    ['.items[-1].metadata.name', 'b'],
    ['items[0].metadata.labels.app-x', '1'],
    ['{.items[0].metadata.labels.app\\.kubernetes\\.io/name}', 'x'],
    ['$.items[?(@.metadata.name=="b")].metadata.name', 'b'],
    ['$..name', ['a', 'b']],
    ['$.zzz', null],
    ['{range .items[*]}{.metadata.name}{"\\n"}{end}', 'a\nb\n'],
    ['name: {.items[0].metadata.name}!', 'name: a!'],
    ['$.items[?match(@.metadata.name, "(a+)+")].metadata.name', 'a'],
  ])('%s', async (jsonPath, expected) =>
    expect((await expressions.evaluate({ jsonPath }, env)).value).toEqual(expected),
  )
  test('what is wrong is said', async () => {
    expect(await failure(expressions.evaluate({ jsonPath: '$[' }, env))).toMatchObject({
      language: 'jsonpath',
      kind: 'syntax',
    })
    expect((await failure(expressions.evaluate({ jsonPath: '{range .a}x' }, env))).message).toContain(
      '{range} without {end}',
    )
  })
})

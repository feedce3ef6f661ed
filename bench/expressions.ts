import { Environment } from '@marcbachmann/cel-js'
import { Expressions, inlineSteps } from '../server/src/platform/expressions/expressions.ts'
import { compileTemplate, runTemplate } from '../server/src/platform/expressions/gotemplate/gotemplate.ts'
import { celProgram, evaluateCel } from '../server/src/platform/expressions/cel/cel.ts'
import { defaultLimits, Run } from '../server/src/platform/expressions/run.ts'

/**
 * npm run bench:expressions: what an evaluation costs, in CPU time so that a busy machine does not matter.
 *   raw        the CEL library's own evaluator on a compiled program, values prepared for it beforehand
 *   ours       our evaluator on a compiled program, with a step budget, from plain JSON
 *   product    the same through Expressions.evaluate, result as JSON and text
 */
const env = {
  code: 200,
  duration: 41,
  json: {
    queue: [1, 2, 3],
    status: 'ok',
    items: Array.from({ length: 50 }, (_, id) => ({ id, size: id * 7, name: `item-${id}` })),
  },
  check: { name: 'basket', labels: { team: 'blue', tier: 'front' } },
}
const cases = {
  'http test': 'code == 200 && json.queue.size() < 5',
  'field and text': `check.labels.team == 'blue' && check.name.startsWith('bas')`,
  arithmetic: '(duration + 3) * 2 - 10 / 3 > 50',
  'macro over 50': 'json.items.filter(i, i.size > 100).map(i, i.name)',
  optional: 'json.?queue.orValue([]).size() > 0',
}
const raw = new Environment({
  enableOptionalTypes: true,
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
})

/** Microseconds of CPU per call. */
function cost(work: () => unknown, forMs = 400): number {
  for (let i = 0; i < 200; i++) work()
  const started = process.cpuUsage()
  let calls = 0
  for (;;) {
    for (let i = 0; i < 100; i++) work()
    calls += 100
    const { user, system } = process.cpuUsage(started)
    if (user + system > forMs * 1000) return (user + system) / calls
  }
}

async function costAsync(work: () => Promise<unknown>, forMs = 400): Promise<number> {
  for (let i = 0; i < 100; i++) await work()
  const started = process.cpuUsage()
  let calls = 0
  for (;;) {
    for (let i = 0; i < 100; i++) await work()
    calls += 100
    const { user, system } = process.cpuUsage(started)
    if (user + system > forMs * 1000) return (user + system) / calls
  }
}

const big = (value: unknown): unknown => {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(big)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, big(item)]))
}
const budget = () => new Run({ steps: inlineSteps, output: defaultLimits.output })
const perSecond = (microseconds: number) => Math.round(1e6 / microseconds).toLocaleString('en-US')
const say = (text: string) => process.stdout.write(`${text}\n`)
const line = (cells: (string | number)[]) =>
  say(cells.map((cell, index) => String(cell)[index === 0 ? 'padEnd' : 'padStart'](index === 0 ? 18 : 14)).join(''))

const expressions = new Expressions()
const converted = big(env) as Record<string, unknown>

say('CEL, microseconds of CPU per evaluation\n')
line(['', 'raw', 'ours', 'ratio', 'product', 'product/s'])
for (const [name, text] of Object.entries(cases)) {
  const compiled = raw.parse(text) as (context: Record<string, unknown>) => unknown
  const program = celProgram(text, 'product')
  const library = cost(() => compiled(converted))
  const own = cost(() => program.evaluate(env, budget()))
  const product = await costAsync(() => expressions.evaluate({ expr: text }, env))
  line([
    name,
    library.toFixed(2),
    own.toFixed(2),
    `${(own / library).toFixed(1)}x`,
    product.toFixed(2),
    perSecond(product),
  ])
}

say('\nWith values as they come (JSON), the library needs them converted first\n')
line(['', 'raw+convert', 'ours'])
for (const [name, text] of Object.entries(cases)) {
  const compiled = raw.parse(text) as (context: Record<string, unknown>) => unknown
  line([
    name,
    cost(() => compiled(big(env) as Record<string, unknown>)).toFixed(2),
    cost(() => celProgram(text, 'product').evaluate(env, budget())).toFixed(2),
  ])
}

say('\nOther figures\n')
let salt = 0
line([
  'parse + evaluate',
  `${cost(() => evaluateCel(`code == ${salt++} && json.queue.size() < 5`, env, budget(), 'product')).toFixed(1)} µs`,
])
const template = '{{ .check.name }} took {{ .duration }} ms{{ range .json.queue }} {{ . }}{{ end }}'
compileTemplate(template)
line(['Go template', `${cost(() => runTemplate(template, env, budget())).toFixed(1)} µs`])
const spin = 'lists.range(200).map(a, lists.range(200).map(b, a * b)).size()'
const started = process.cpuUsage()
let spent = 0
try {
  for (let i = 0; i < 50; i++) {
    const run = budget()
    try {
      celProgram(spin, 'product').evaluate({}, run)
    } catch {
      spent += inlineSteps
    }
  }
} finally {
  const { user } = process.cpuUsage(started)
  line(['a step', `${((user * 1000) / spent).toFixed(0)} ns`, `${inlineSteps} = ${(user / 50 / 1000).toFixed(1)} ms`])
}

await expressions.evaluate({ javascript: '1' }, {})
const wall = async (name: string, count: number, work: () => Promise<unknown>) => {
  const from = performance.now()
  await Promise.all(Array.from({ length: count }, work))
  line([name, `${Math.round(count / ((performance.now() - from) / 1000)).toLocaleString('en-US')}/s`, '(wall time)'])
}
const heavy = 'lists.range(9000).filter(x, x % 2 == 0).size() == 4500'
await expressions.evaluate({ expr: heavy }, {})
await wall('in the thread', 200, () => expressions.evaluate({ expr: heavy }, {}))
await wall('JavaScript', 200, () => expressions.evaluate({ javascript: 'code + 1' }, env))
await wall('inline, awaited', 20_000, () => expressions.evaluate({ expr: cases['http test'] }, env))
await expressions.close()

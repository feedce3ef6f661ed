import { describe, expect, test } from 'vitest'
import type { CommonSpec, Outcome } from '../kind.ts'
import { type Evaluator, finish } from './finish.ts'

/** Stands in for the expression engine: `expr` is a JavaScript function body over the environment. */
const evaluator: Evaluator = {
  evaluate: async (block, env) => {
    if (block.expr === 'throw') throw new Error('no such key: x')
    return (env.answers as Record<string, unknown>)[block.expr ?? block.template ?? '']
  },
}
const run = (outcome: Outcome, spec: Partial<CommonSpec>, templatable = true) =>
  finish(
    {
      outcome,
      elapsed: 12,
      canary: { id: 'c', name: 'shop', namespace: 'web', labels: {} },
      check: { id: 'k', name: 'home', type: 'http', labels: {}, endpoint: 'http://x' },
      spec: { name: 'home', ...spec },
      templatable,
      lastResult: async () => ({}),
    },
    evaluator,
  )
const answering = (answers: Record<string, unknown>, more: Partial<Outcome> = {}): Outcome => ({
  pass: true,
  data: { answers },
  ...more,
})

describe('test', () => {
  test('true passes, false fails without words', async () => {
    expect(await run(answering({ t: 'true' }), { test: { expr: 't' } })).toMatchObject([{ pass: true, error: null }])
    expect(await run(answering({ t: false }), { test: { expr: 't' } })).toMatchObject([{ pass: false, error: null }])
  })
  test('anything else fails and shows what it gave', async () => {
    const [result] = await run(answering({ t: 'maybe' }), { test: { expr: 't' } })
    expect(result).toMatchObject({ pass: false, error: 'the test must give true or false, it gave "maybe"' })
  })
  test('never turns a failure back', async () => {
    expect(
      await run(answering({ t: true }, { pass: false, errors: ['code 500'] }), { test: { expr: 't' } }),
    ).toMatchObject([{ pass: false }])
  })
  test('an evaluation error fails with the error', async () => {
    expect(await run(answering({}), { test: { expr: 'throw' } })).toMatchObject([
      { pass: false, error: 'test: no such key: x' },
    ])
  })
  test('is left alone for kinds that cannot be templated, and for invalid results', async () => {
    expect(await run(answering({ t: false }), { test: { expr: 't' } }, false)).toMatchObject([{ pass: true }])
    expect(await run(answering({ t: true }, { invalid: true }), { test: { expr: 't' } })).toMatchObject([
      { pass: false, invalid: true },
    ])
  })
})

test('display becomes the message; its error fails the check', async () => {
  expect(await run(answering({ d: '3 items' }), { display: { template: 'd' } })).toMatchObject([
    { message: '3 items', pass: true },
  ])
  expect(await run(answering({}), { display: { expr: 'throw' } })).toMatchObject([
    { pass: false, error: 'display: no such key: x' },
  ])
})

describe('transform', () => {
  test('named entries become checks of their own and keep what they leave out', async () => {
    const list = JSON.stringify([
      { name: 'q1', pass: true, message: '3' },
      { name: 'q2', labels: { a: 1 } },
    ])
    const results = await run(answering({ x: list }, { detail: { rows: [] } }), {
      transform: { expr: 'x' },
      icon: 'pg',
      test: { expr: 'throw' },
    })
    expect(results.length).toBe(3)
    expect(results[0]).toMatchObject({ pass: true, detail: null, fannedOut: true })
    expect(results[1]).toMatchObject({
      pass: true,
      message: '3',
      row: { name: 'q1', type: 'http', icon: 'pg', endpoint: 'http://x' },
    })
    expect(results[2]).toMatchObject({ pass: false, row: { name: 'q2', labels: { a: '1' } } })
  })
  test('one entry without a name is merged, then display and test apply', async () => {
    const results = await run(answering({ x: '{"message":"m","detail":"$delete"}', t: 'false' }, { detail: 1 }), {
      transform: { expr: 'x' },
      test: { expr: 't' },
    })
    expect(results).toMatchObject([{ message: 'm', detail: null, pass: false }])
  })
  test('several entries without names, no list, or an error: invalid with the reason', async () => {
    for (const answer of ['[{},{}]', '"text"', '[1]', '{broken']) {
      expect(await run(answering({ x: answer }), { transform: { expr: 'x' } })).toMatchObject([
        { invalid: true, pass: false, error: expect.stringContaining('could not be transformed') },
      ])
    }
  })
  test('an empty list removes the rows of earlier runs', async () => {
    expect(await run(answering({ x: '[]' }), { transform: { expr: 'x' } })).toMatchObject([{ fannedOut: true }])
  })
})

test('metrics are numbers with labels; one that fails is said and changes no verdict', async () => {
  const metrics = [
    {
      name: 'items',
      type: 'gauge',
      value: 'n',
      labels: [
        { name: 'a', value: 'b' },
        { name: 'c', valueExpr: 'l' },
      ],
    },
    { name: 'bad', type: 'gauge', value: 'throw' },
  ]
  expect(await run(answering({ n: '3', l: 'x' }), { metrics })).toMatchObject([
    {
      pass: true,
      error: 'metric bad: no such key: x',
      metrics: [{ name: 'items', value: 3, labels: { a: 'b', c: 'x' } }],
    },
  ])
})

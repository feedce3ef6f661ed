import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck, runCheck } from './run-check.ts'

const deps = {
  ctx: {} as Context,
  evaluator: { evaluate: async () => 'true' },
}
const kind = (run: CheckKind['run'], timeout = 50): CheckKind => ({
  key: 'http',
  schema: z.any(),
  templatable: true,
  endpoint: () => '',
  timeoutMs: () => timeout,
  run,
})
const check = (each: CheckKind) => ({
  kind: each,
  spec: { name: 'c' },
  identity: { id: 'i', name: 'c', type: 'http', labels: {}, endpoint: '' },
})
const canary = { id: 'c', name: 'n', namespace: 'd', labels: {} }
const run = (each: CheckKind, stop?: AbortSignal) =>
  runCheck(deps, canary, check(each), { stop, lastResult: async () => ({}) })

test('a kind that never answers is cut off and says so', async () => {
  const heeding = kind(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  expect(await run(heeding)).toMatchObject([{ pass: false, error: 'timed out after 50 ms' }])
})

test('a kind that does not heed its signal is left behind', async () => {
  vi.useFakeTimers()
  const result = run(kind(() => new Promise(() => undefined)))
  await vi.advanceTimersByTimeAsync(1100)
  expect(await result).toMatchObject([{ pass: false, error: 'timed out after 50 ms' }])
  vi.useRealTimers()
})

test('whatever a kind throws becomes words; what could not be evaluated is invalid', async () => {
  expect(await run(kind(() => Promise.reject(new Error('refused'))))).toMatchObject([
    { pass: false, invalid: false, error: 'refused' },
  ])
  expect(
    await run(
      kind(() => {
        throw new InvalidCheck('no url')
      }),
    ),
  ).toMatchObject([{ invalid: true, error: 'no url' }])
})

test('secrets, endless texts and NUL never reach the history', async () => {
  const leaky = kind(async (each) => {
    each.secret('hunter2')
    return {
      pass: false,
      errors: ['login hunter2 failed\0'],
      message: 'x'.repeat(100_000),
      detail: { password: 'hunter2' },
    }
  })
  const [result] = await run(leaky)
  expect(result?.error).toBe('login *** failed')
  expect(result?.message?.length).toBeLessThan(20_000)
  expect(result?.detail).toEqual({ password: '***' })
})

test('a huge detail is kept as its beginning', async () => {
  const [result] = await run(kind(async () => ({ pass: true, detail: { rows: 'y'.repeat(300_000) } })))
  expect(result?.detail).toMatchObject({ truncated: true })
})

test('stopping the server ends the run', async () => {
  const stop = new AbortController()
  const waiting = run(
    kind(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      10_000,
    ),
    stop.signal,
  )
  stop.abort()
  expect(await waiting).toMatchObject([{ pass: false, error: 'the server is stopping' }])
})

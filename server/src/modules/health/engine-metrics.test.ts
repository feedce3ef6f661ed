import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { engineMetrics } from './engine-metrics.ts'
import type { CheckMetric } from './kind.ts'
import type { Finished } from './run/finish.ts'

const canary = { id: 'c', name: 'shop', namespace: 'web', labels: {} }
const check = { id: 'k1', name: 'basket', type: 'http', labels: {}, endpoint: 'http://basket' }
const result = (metrics: CheckMetric[], pass = true): Finished => ({
  pass,
  invalid: false,
  duration: 12,
  message: null,
  error: null,
  detail: null,
  metrics,
  labels: null,
})
const depth = (value: number, queue: string): CheckMetric => ({
  name: 'queue_depth',
  type: 'gauge',
  value,
  labels: { queue },
})

test('a check is told of under the names of the wire, with the metrics it and its transform declare', async () => {
  const registry = new Registry()
  const metrics = engineMetrics(registry)
  metrics.observe(canary, check, [result([depth(3, 'a')]), result([depth(4, 'b')])])
  metrics.observe(canary, check, [result([], false)])
  const text = await registry.metrics()
  const labels = 'key="k1",name="basket",type="http",canary_name="shop",namespace="web"'
  expect(text).toContain(`canary_check_count{${labels}} 2`)
  expect(text).toContain(`canary_check_success_count{${labels}} 1`)
  expect(text).toContain(`canary_check_failed_count{${labels}} 1`)
  expect(text).toContain(`canary_check{${labels}} 1`)
  expect(text).toContain(`canary_check_info{${labels}} 1`)
  expect(text).toContain(`canary_check_gauge{${labels},metric="queue_depth"} 4`)
  expect(text).toContain('queue_depth{queue="a"} 3')
  expect(text).toContain('queue_depth{queue="b"} 4')
  expect(text).toMatch(/canary_check_duration_bucket\{le="25",type="http"\} 2/)
})

test('a check that is gone is told of no longer', async () => {
  const registry = new Registry()
  const metrics = engineMetrics(registry)
  metrics.observe(canary, check, [result([depth(3, 'a')])])
  metrics.observe(canary, { ...check, id: 'k2' }, [result([depth(5, 'c')])])
  metrics.forget('k1')
  metrics.forget('never seen')
  const text = await registry.metrics()
  expect(text).not.toContain('k1')
  expect(text).not.toContain('queue="a"')
  expect(text).toContain('key="k2"')
  expect(text).toContain('queue="c"')
})

test('labels that are new with every run do not grow for ever', async () => {
  const registry = new Registry()
  const metrics = engineMetrics(registry)
  for (let run = 0; run < 500; run++) metrics.observe(canary, check, [result([depth(run, `q${run}`)])])
  const text = await registry.metrics()
  expect(text.match(/^queue_depth\{/gm)!.length).toBeLessThanOrEqual(200)
})

test('the state of a check follows its runs', async () => {
  const registry = new Registry()
  const metrics = engineMetrics(registry)
  const states: (string | undefined)[] = []
  for (const pass of [false, true, true, false]) {
    metrics.observe(canary, check, [result([depth(1, 'a')], pass)])
    states.push(/^canary_check\{.*\} (\d)$/m.exec(await registry.metrics())?.[1])
  }
  expect(states).toEqual(['1', '0', '0', '1'])
})

test('a name that another check uses with other labels is left out, and its check can go like any other', async () => {
  const registry = new Registry()
  const metrics = engineMetrics(registry)
  metrics.observe(canary, check, [result([depth(3, 'a')])])
  const clash: CheckMetric = { name: 'queue_depth', type: 'gauge', value: 9, labels: { shop: 'b' } }
  for (let run = 0; run < 2; run++) metrics.observe(canary, { ...check, id: 'k2' }, [result([clash])])
  expect(await registry.metrics()).not.toContain('shop="b"')
  metrics.forget('k2')
  const text = await registry.metrics()
  expect(text).not.toContain('k2')
  expect(text).toContain('queue_depth{queue="a"} 3')
})

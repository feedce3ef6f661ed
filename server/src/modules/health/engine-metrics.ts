import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { CanaryIdentity, CheckIdentity, CheckMetric } from './kind.ts'
import type { Finished } from './run/finish.ts'

export interface EngineMetrics {
  lag: Pick<Histogram, 'observe'>
  missed: Pick<Counter, 'inc'>
  observe(canary: CanaryIdentity, check: CheckIdentity, results: readonly Finished[]): void
  /** A check that is gone, or runs elsewhere now, is no longer told of. */
  forget(checkId: string): void
  watch(stats: () => { canaries: number; checks: number; running: number; waiting: number }): void
}

const labelNames = ['key', 'name', 'type', 'canary_name', 'namespace'] as const

type Metric = Gauge | Counter | Histogram
type Labels = Record<(typeof labelNames)[number], string>
interface Series {
  labels: Labels
  /** What the gauge of its state says. */
  state?: 0 | 1
  own: Map<string, OwnSeries>
}
interface OwnSeries {
  record(value: number): void
  remove(): void
}

/** Labels computed by an expression could be new with every run; a check has at most so many series of its own. */
const mostSeries = 200

function declare({ name, type, labels }: CheckMetric, registers: Registry[]): Metric {
  const shape = { name, help: 'Declared by a check', labelNames: Object.keys(labels), registers }
  if (type === 'counter') return new Counter(shape)
  return type === 'histogram' ? new Histogram(shape) : new Gauge(shape)
}

function record(metric: Metric, labels: Record<string, string>, value: number): void {
  if (metric instanceof Counter) metric.inc(labels, Math.max(0, value))
  else if (metric instanceof Histogram) metric.observe(labels, value)
  else metric.set(labels, value)
}

/** The check metrics of the wire (`canary_check_*`), and our own on how well the engine keeps its times. */
export function engineMetrics(registry: Registry): EngineMetrics {
  const registers = [registry]
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames, registers })
  const runs = counter('canary_check_count', 'Runs of a check')
  const passed = counter('canary_check_success_count', 'Runs that passed')
  const failed = counter('canary_check_failed_count', 'Runs that failed')
  const state = new Gauge({ name: 'canary_check', help: '0 passes, 1 fails', labelNames, registers })
  const info = new Gauge({ name: 'canary_check_info', help: 'Checks that run here; always 1', labelNames, registers })
  // Metrics that checks declare, once more under names that are known beforehand.
  const declared = [...labelNames, 'metric']
  const gauges = new Gauge({
    name: 'canary_check_gauge',
    help: 'Gauges that checks declare',
    labelNames: declared,
    registers,
  })
  const counters = new Counter({
    name: 'canary_check_counter',
    help: 'Counters that checks declare',
    labelNames: declared,
    registers,
  })
  const histograms = new Histogram({
    name: 'canary_check_histogram',
    help: 'Histograms that checks declare',
    labelNames: declared,
    registers,
  })
  const duration = new Histogram({
    name: 'canary_check_duration',
    help: 'Milliseconds a run took',
    labelNames: ['type'],
    buckets: [5, 10, 25, 50, 200, 500, 1000, 3000, 10_000, 30_000],
    registers,
  })
  const lag = new Histogram({
    name: 'quarterdeck_check_lag_seconds',
    help: 'Seconds between the moment a run was due and its start',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
    registers,
  })
  const missed = new Counter({
    name: 'quarterdeck_check_missed_total',
    help: 'Runs that were due and did not happen',
    registers,
  })
  const own = new Map<string, Metric>()
  /** What was said of each check, so that it can be taken back. */
  const series = new Map<string, Series>()

  function seriesOf(labels: Labels): Series {
    let known = series.get(labels.key)
    if (known) return known
    series.set(labels.key, (known = { labels, own: new Map() }))
    info.set(labels, 1)
    return known
  }

  /** Where the values of a declared metric go: under its own name, and under the common one. */
  function ownSeries(metric: CheckMetric, told: Series): OwnSeries {
    let known = own.get(metric.name)
    if (!known) own.set(metric.name, (known = declare(metric, registers)))
    const common = metric.type === 'counter' ? counters : metric.type === 'histogram' ? histograms : gauges
    const labels = { ...told.labels, metric: metric.name }
    return {
      record(value) {
        record(known, metric.labels, value)
        record(common, labels, value)
      },
      remove() {
        known.remove(metric.labels)
        common.remove(labels)
      },
    }
  }

  function observeOwn(metric: CheckMetric, told: Series): void {
    // A name already taken by another metric with other labels would throw; the check must not fail for it.
    try {
      const key = `${metric.name} ${JSON.stringify(metric.labels)}`
      const known = told.own.get(key)
      if (!known && told.own.size >= mostSeries) return
      const series = known ?? ownSeries(metric, told)
      series.record(metric.value)
      // Kept from the first value on: what every run replaced would be garbage that has grown old. What was refused is
      // not kept: taking it back would be refused too.
      if (!known) told.own.set(key, series)
    } catch {
      return
    }
  }

  return {
    lag,
    missed,
    observe(canary, check, results) {
      const [result] = results
      if (!result) return
      const told = seriesOf({
        key: check.id,
        name: check.name,
        type: check.type,
        canary_name: canary.name,
        namespace: canary.namespace,
      })
      const { labels } = told
      runs.inc(labels)
      ;(result.pass ? passed : failed).inc(labels)
      const now = result.pass ? 0 : 1
      if (told.state !== now) state.set(labels, (told.state = now))
      duration.observe({ type: check.type }, result.duration)
      for (const each of results) for (const metric of each.metrics) observeOwn(metric, told)
    },
    forget(checkId) {
      const told = series.get(checkId)
      if (!told) return
      series.delete(checkId)
      for (const metric of [runs, passed, failed, state, info]) metric.remove(told.labels)
      for (const each of told.own.values()) each.remove()
    },
    watch(stats) {
      const gauge = (name: string, help: string, read: () => number) =>
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read())
          },
        })
      gauge('quarterdeck_checks_running', 'Runs in progress', () => stats().running)
      gauge('quarterdeck_checks_scheduled', 'Checks this process runs', () => stats().checks)
      gauge('quarterdeck_check_results_waiting', 'Results not yet stored', () => stats().waiting)
    },
  }
}

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { CanaryIdentity, CheckIdentity, CheckMetric } from './kind.ts'
import type { Finished } from './run/finish.ts'

export interface EngineMetrics {
  lag: Pick<Histogram, 'observe'>
  missed: Pick<Counter, 'inc'>
  observe(canary: CanaryIdentity, check: CheckIdentity, results: readonly Finished[]): void
  watch(stats: () => { canaries: number; checks: number; running: number; waiting: number }): void
}

const labelNames = ['key', 'name', 'type', 'canary_name', 'namespace']

/** The check metrics of the wire (`canary_check_*`), and our own on how well the engine keeps its times. */
export function engineMetrics(registry: Registry): EngineMetrics {
  const registers = [registry]
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames, registers })
  const runs = counter('canary_check_count', 'Runs of a check')
  const passed = counter('canary_check_success_count', 'Runs that passed')
  const failed = counter('canary_check_failed_count', 'Runs that failed')
  const state = new Gauge({ name: 'canary_check', help: '0 passes, 1 fails', labelNames, registers })
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
  const own = new Map<string, Gauge | Counter | Histogram>()

  function observeOwn(metric: CheckMetric): void {
    // A name already taken by another metric with other labels would throw; the check must not fail for it.
    try {
      const names = Object.keys(metric.labels)
      let known = own.get(metric.name)
      if (!known) {
        const shape = { name: metric.name, help: 'Declared by a check', labelNames: names, registers }
        known =
          metric.type === 'counter'
            ? new Counter(shape)
            : metric.type === 'histogram'
              ? new Histogram(shape)
              : new Gauge(shape)
        own.set(metric.name, known)
      }
      if (known instanceof Counter) known.inc(metric.labels, Math.max(0, metric.value))
      else if (known instanceof Histogram) known.observe(metric.labels, metric.value)
      else known.set(metric.labels, metric.value)
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
      const labels = {
        key: check.id,
        name: check.name,
        type: check.type,
        canary_name: canary.name,
        namespace: canary.namespace,
      }
      runs.inc(labels)
      ;(result.pass ? passed : failed).inc(labels)
      state.set(labels, result.pass ? 0 : 1)
      duration.observe({ type: check.type }, result.duration)
      for (const metric of result.metrics) observeOwn(metric)
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

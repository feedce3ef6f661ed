import { setMaxListeners } from 'node:events'
import { type Properties, readProperties } from '../../platform/properties.ts'
import { activate, type ActiveCanary, type ActiveCheck, hostOf } from './active.ts'
import type { EngineMetrics } from './engine-metrics.ts'
import type { CheckKind } from './kind.ts'
import { problemsOf, recordProblems } from './problems.ts'
import { keepFiles } from './results/files.ts'
import { throughOutage } from './results/outage.ts'
import { storeFinished, storeMade } from './results/store.ts'
import { startWriter } from './results/writer.ts'
import { Limiter } from '../../platform/limiter.ts'
import { type RunDeps, runCheck } from './run/run-check.ts'
import { missedRuns, nextRun } from './schedule/next-run.ts'
import { shardOf } from './schedule/phase.ts'
import { leaseMs, releaseShards, renewEveryMs, renewShards } from './schedule/shards.ts'
import { TimerWheel, wheelStepMs } from './schedule/wheel.ts'
import { lastResultOf } from './health.sql.ts'
import { keyOf, syncCanaries } from './sync.service.ts'
import { canariesById, dropExtraRun, localCanaryIds } from './sync.sql.ts'

export interface EngineOptions extends RunDeps {
  /** Unique to this process. */
  owner: string
  kinds: ReadonlyMap<string, CheckKind>
  metrics: EngineMetrics
}

export interface HealthEngine {
  /** Reads these canaries anew: created, edited or deleted ones. */
  reload(canaryIds: readonly string[]): Promise<void>
  /** Reads every canary of this process's share anew. */
  reloadAll(): Promise<void>
  stats(): { canaries: number; checks: number; running: number; waiting: number; shards: number }
  stop(): Promise<void>
}

/** Canaries read from the database at once. */
const loadBatch = 500
/** Two runs of one canary start at least this far apart. */
const minGapMs = 10_000
const defaultConcurrency = 200
/** One host never gets more than this at once from one process. */
const hostConcurrency = 20
/** A run that takes longer waits for somebody else; it gives its place in its kind to the next. */
const promptMs = 2_000

/** Runs the canaries of this process's shards on time, for as long as it holds them. */
export async function startHealthEngine(options: EngineOptions): Promise<HealthEngine> {
  const { ctx, owner, kinds, metrics } = options
  const log = ctx.log.child({ engine: 'health' })
  const now = () => ctx.clock.now().getTime()
  const writer = startWriter({ db: ctx.db, log })
  const wheel = new TimerWheel()
  const extras = new TimerWheel()
  /** Extra runs that happened, until the database no longer asks for them. */
  const extrasDone = new Map<string, string>()
  const canaries = new Map<string, ActiveCanary>()
  const running = new Map<string, Promise<void>>()
  const lastStart = new Map<string, number>()
  const byKind = new Limiter((key) => kinds.get(key)?.concurrency ?? defaultConcurrency)
  const byHost = new Limiter(() => hostConcurrency)
  const stopping = new AbortController()
  // Every run in progress listens to it.
  setMaxListeners(0, stopping.signal)
  let shards = new Set<number>()
  let lastTick = 0
  let leaseUntil = 0
  let alone = true
  let disabled = new Set<string>()

  function forget(id: string): void {
    for (const check of canaries.get(id)?.checks ?? []) metrics.forget(check.id)
    wheel.delete(id)
    extras.delete(id)
    canaries.delete(id)
    lastStart.delete(id)
  }

  async function load(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += loadBatch) {
      const batch = ids.slice(from, from + loadBatch)
      const rows = await canariesById(ctx.db, batch)
      const found = new Set(rows.map(({ id }) => id))
      for (const id of batch) if (!found.has(id)) forget(id)
      const synced = await syncCanaries(ctx.db, rows, kinds)
      for (const { canary, plan, rows: checks } of synced) {
        const active = activate(
          canary,
          plan.checks.flatMap((planned) => {
            const row = checks.get(keyOf(planned))
            return row ? [{ planned, row }] : []
          }),
        )
        const known = canaries.get(canary.id)
        canaries.set(canary.id, active)
        const kept = new Set([...checks.values()].map(({ id }) => id))
        for (const check of known?.checks ?? []) if (!kept.has(check.id)) metrics.forget(check.id)
        // A moment still to come was written before the clock was set back.
        const last = Math.min(
          now(),
          [...checks.values()].reduce((latest, row) => Math.max(latest, row.last_runtime?.getTime() ?? 0), 0),
        )
        place(canary.id, active, known, last)
        if (known?.fingerprint === active.fingerprint) continue
        await recordProblems(ctx, canary.id, problemsOf(canary, plan))
        if (active.scheduleProblem) await sayUnscheduled(active, active.scheduleProblem)
      }
    }
  }

  /** Checks that never run would look as if nobody had come round to them; they say why instead. */
  async function sayUnscheduled(active: ActiveCanary, problem: string): Promise<void> {
    for (const check of active.checks)
      if (!check.runnable?.kind.onDemand)
        await storeFinished(writer, check, [invalid(problem)], { start: now(), due: null, next: null })
  }

  /** Decides when it runs next: at once when it is new or changed, otherwise at its own slot. */
  function place(id: string, active: ActiveCanary, known: ActiveCanary | undefined, lastRun: number): void {
    const at = now()
    placeExtra(id, active, at)
    const next = nextRun(id, active.schedule, at)
    if (next === undefined) return wheel.delete(id)
    if (known?.fingerprint === active.fingerprint) return
    if (!known && lastRun > 0) {
      const missed = missedRuns(id, active.schedule, lastRun, at)
      if (missed > 0) miss(active, missed)
      return wheel.set(id, next)
    }
    wheel.set(id, Math.max(at, (lastStart.get(id) ?? lastRun) + minGapMs))
  }

  function placeExtra(id: string, { extraRun }: ActiveCanary, at: number): void {
    if (extraRun === undefined) {
      extrasDone.delete(id)
      extras.delete(id)
    } else if (extrasDone.get(id) !== extraRun.text) {
      // A moment that passed while nobody looked is made up for.
      extras.set(id, Math.max(extraRun.at, at, (lastStart.get(id) ?? 0) + minGapMs))
    }
  }

  /** Due times are moments of the clock: when it is set back, they would be far away. */
  function clockSetBack(at: number): void {
    leaseUntil = Math.min(leaseUntil, at + leaseMs)
    for (const [id, started] of lastStart) if (started > at) lastStart.set(id, at)
    for (const [id, { schedule }] of canaries) {
      const next = nextRun(id, schedule, at)
      if (next !== undefined) wheel.set(id, next)
    }
    log.warn({ seconds: Math.round((lastTick - at) / 1000) }, 'the clock was set back; runs are scheduled anew')
  }

  function tick(): void {
    const at = now()
    if (at < lastTick - 1000) clockSetBack(at)
    lastTick = at
    if (at > leaseUntil && !alone) return
    for (const due of wheel.take(at)) {
      const canary = canaries.get(due.id)
      if (!canary) continue
      const next = nextRun(due.id, canary.schedule, Math.max(at, due.at))
      if (next !== undefined) wheel.set(due.id, next)
      // Nobody could run for longer than one period: everything at once now would help nobody.
      const passed = missedRuns(due.id, canary.schedule, due.at, at)
      if (passed > 0) miss(canary, passed + 1)
      else startAll(due.id, canary, due.at, next)
    }
    for (const { id, at: due } of extras.take(at)) {
      const canary = canaries.get(id)
      if (!canary?.extraRun) continue
      const { text } = canary.extraRun
      extrasDone.set(id, text)
      startAll(id, canary, due, nextRun(id, canary.schedule, at))
      dropExtraRun(ctx.db, id, text).catch((error: unknown) =>
        log.warn({ err: error, canary: id }, 'the annotation of an extra run could not be dropped'),
      )
    }
  }

  function miss(canary: ActiveCanary, count: number): void {
    for (const check of canary.checks) {
      if (!check.runnable || check.runnable.kind.onDemand || isDisabled(check, disabled)) continue
      metrics.missed.inc(count)
      writer.missed(check.id, count)
    }
  }

  function startAll(id: string, canary: ActiveCanary, due: number, next: number | undefined): void {
    lastStart.set(id, now())
    for (const check of canary.checks) start(canary, check, due, next ?? null)
  }

  function start(canary: ActiveCanary, check: ActiveCheck, due: number, next: number | null): void {
    if (isDisabled(check, disabled)) return
    if (check.runnable?.kind.onDemand) return
    // A run never overlaps itself: the one that has not ended makes this one a missed run.
    if (running.has(check.id)) {
      metrics.missed.inc()
      return writer.missed(check.id)
    }
    const done = run(canary, check, due, next)
      .catch((error: unknown) => log.error({ err: error, check: check.id }, 'a check could not be run'))
      .finally(() => running.delete(check.id))
    running.set(check.id, done)
  }

  async function run(canary: ActiveCanary, check: ActiveCheck, due: number, next: number | null): Promise<void> {
    const { runnable } = check
    if (!runnable) {
      if (check.problem) await storeFinished(writer, check, [invalid(check.problem)], { start: now(), due, next })
      return
    }
    // The host first: who waits for a busy host must not take a place that others could use.
    const leaveHost = await byHost.enter(hostOf(runnable), stopping.signal)
    const leaveKind = await byKind.enter(runnable.kind.key, stopping.signal).catch((error: unknown) => {
      leaveHost()
      throw error
    })
    const patience = runnable.kind.isHeavy ? undefined : setTimeout(leaveKind, promptMs)
    const started = now()
    metrics.lag.observe(Math.max(0, started - due) / 1000)
    try {
      const results = await runCheck(options, canary.identity, runnable, {
        stop: stopping.signal,
        lastResult: () => lastResultOf(ctx.db, check.id),
        relate: true,
      })
      if (stopping.signal.aborted) return
      metrics.observe(canary.identity, runnable.identity, results)
      const moment = { start: started, due, next }
      await storeFinished(writer, check, results, moment)
      if (results[0]?.fannedOut) {
        const rows = { db: ctx.db, canaryId: canary.identity.id }
        await throughOutage(() => storeMade(writer, check, results, moment, rows), stopping.signal)
      }
      await keepFiles(ctx, check.id, started, results)
    } finally {
      clearTimeout(patience)
      leaveHost()
      leaveKind()
    }
  }

  async function renew(giveUp: number[] = []): Promise<void> {
    const sent = now()
    const view = await renewShards(ctx.db, owner, giveUp)
    leaseUntil = sent + leaseMs
    disabled = disabledKinds(await readProperties(ctx))
    alone = view.others === 0
    const held = new Set(view.mine)
    const gained = view.mine.filter((shard) => !shards.has(shard))
    const lost = [...shards].filter((shard) => !held.has(shard))
    shards = held
    if (lost.length > 0) for (const id of canaries.keys()) if (!shards.has(shardOf(id))) forget(id)
    if (gained.length > 0) {
      const wanted = new Set(gained)
      await load((await localCanaryIds(ctx.db)).filter((id) => wanted.has(shardOf(id))))
    }
    if (view.excess.length > 0) await handOver(view.excess)
  }

  /** Stops the canaries of these shards, waits for their runs, and only then lets others have them. */
  async function handOver(excess: number[]): Promise<void> {
    const leaving = new Set(excess)
    const ids = [...canaries.keys()].filter((id) => leaving.has(shardOf(id)))
    const checks = ids.flatMap((id) => canaries.get(id)?.checks.map((check) => check.id) ?? [])
    for (const id of ids) forget(id)
    for (const shard of excess) shards.delete(shard)
    await Promise.all(checks.flatMap((id) => running.get(id) ?? []))
    await writer.flush()
    await renew(excess)
  }

  await renew()
  const ticker = setInterval(tick, wheelStepMs)
  let renewing = Promise.resolve()
  const renewer = setInterval(() => {
    renewing = renewing.then(() =>
      renew().catch((error: Error) => log.warn({ err: error }, 'the shards could not be renewed; trying again')),
    )
  }, renewEveryMs)
  metrics.watch(() => stats())

  function stats() {
    const checks = [...canaries.values()].reduce((sum, canary) => sum + canary.checks.length, 0)
    return {
      canaries: canaries.size,
      checks,
      running: running.size,
      waiting: writer.stats().waiting,
      shards: shards.size,
    }
  }

  return {
    reload: (ids) => load(ids.filter((id) => shards.has(shardOf(id)))),
    async reloadAll() {
      const ids = new Set([...canaries.keys(), ...(await localCanaryIds(ctx.db))])
      await load([...ids].filter((id) => shards.has(shardOf(id))))
    },
    stats,
    async stop() {
      clearInterval(ticker)
      clearInterval(renewer)
      stopping.abort()
      await renewing
      await Promise.all(running.values())
      await writer.stop()
      await releaseShards(ctx.db, owner).catch((error: Error) =>
        log.warn({ err: error }, 'the shards were not released'),
      )
    },
  }
}

/** `check.disabled.{type}` = true switches one kind off, `check.*.disabled` all of them. */
function disabledKinds(properties: Properties): Set<string> {
  const off = [...properties].filter(([, value]) => value === 'true').map(([name]) => name)
  return new Set(
    off.flatMap((name) => (name === 'check.*.disabled' ? '*' : (/^check\.disabled\.(.+)$/.exec(name)?.[1] ?? []))),
  )
}

const isDisabled = (check: ActiveCheck, disabled: ReadonlySet<string>): boolean =>
  disabled.has('*') || (check.runnable !== undefined && disabled.has(check.runnable.identity.type))

const invalid = (problem: string) => ({
  pass: false,
  invalid: true,
  duration: 0,
  message: null,
  error: problem,
  detail: null,
  metrics: [],
  labels: null,
})

import { Gauge, type Registry } from 'prom-client'
import type { Context } from '../../context.ts'

interface TaskState {
  task: string
  waiting: number
  running: number
  failed: number
  oldest_seconds: number
}
interface QueueState {
  workers: number
  tasks: TaskState[]
}

const tasksInQueue = `
  select t.identifier as task,
    (count(*) filter (where j.is_available and j.run_at <= now()))::int as waiting,
    (count(*) filter (where j.locked_at is not null))::int as running,
    (count(*) filter (where j.attempts >= j.max_attempts and j.locked_at is null))::int as failed,
    coalesce(extract(epoch from now() - min(j.run_at) filter (where j.is_available and j.run_at <= now())), 0)::float8
      as oldest_seconds
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  group by t.identifier`
const liveWorkers = `select count(*)::int as count from worker_heartbeats where seen_at > now() - interval '45 seconds'`

/** Adds the queue's gauges; they are read from the database when somebody scrapes. */
export function registerQueueMetrics(ctx: Context, registry: Registry): void {
  const state = shared(async (): Promise<QueueState> => {
    const [workers, tasks] = await Promise.all([
      ctx.db.one<{ count: number }>(liveWorkers),
      ctx.db.query<TaskState>(tasksInQueue),
    ])
    return { workers: workers.count, tasks }
  })
  new Gauge({
    name: 'quarterdeck_workers',
    help: 'Worker processes that gave a sign of life in the last 45 seconds',
    registers: [registry],
    async collect() {
      this.set((await state()).workers)
    },
  })
  const perTask = (name: string, help: string, value: (task: TaskState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['task'],
      registers: [registry],
      async collect() {
        const { tasks } = await state()
        this.reset()
        for (const task of tasks) this.set({ task: task.task }, value(task))
      },
    })
  perTask('quarterdeck_queue_waiting', 'Tasks that are due and wait for a worker', (task) => task.waiting)
  perTask('quarterdeck_queue_running', 'Tasks held by a worker', (task) => task.running)
  perTask('quarterdeck_queue_failed', 'Tasks that failed for good', (task) => task.failed)
  perTask('quarterdeck_queue_oldest_seconds', 'How long the oldest due task has waited', (task) => task.oldest_seconds)
}

/** One reading serves all gauges of a scrape. */
function shared<T>(read: () => Promise<T>, keepMs = 1000): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined
  return () => {
    if (!last || performance.now() - last.at > keepMs) last = { at: performance.now(), value: read() }
    return last.value
  }
}

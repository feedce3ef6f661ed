import { z } from 'zod'
import { audit } from '../../platform/auth/audit.ts'
import { notFound } from '../../platform/errors.ts'
import { anyOf, read, type Route, route } from '../../platform/http/route.ts'
import { type Job, jobId } from './job.ts'
import { discardTask, failedTasks, retryTask, scheduleTimes } from './jobs.sql.ts'
import { queueJob, scheduleKey } from './scheduler.ts'
import { jobStatisticsRoutes } from './statistics.routes.ts'

const JobInfo = z.object({
  id: z.string(),
  name: z.string(),
  resource_type: z.string().nullable(),
  /** What holds now, a property may override the job's own. Null: it runs only when asked to, or per resource. */
  schedule: z.string().nullable(),
  next_run_at: z.date().nullable(),
  last_run_at: z.date().nullable(),
})
const FailedTask = z.object({
  id: z.string(),
  task: z.string(),
  attempts: z.number(),
  last_error: z.string().nullable(),
  created_at: z.date(),
  last_attempt: z.date(),
})
const TaskId = z.object({ id: z.string().regex(/^\d{1,18}$/, 'must be a number') })

/** Jobs of the whole server, and queue entries that failed for good. The history itself is read through the data API. */
export function jobRoutes(jobs: () => readonly Job[]): Route[] {
  return [
    ...jobStatisticsRoutes,
    route({
      method: 'GET',
      path: '/v1/jobs',
      access: read('database'),
      summary: 'Jobs of this server with their schedules and times',
      output: z.array(JobInfo),
      async handle({ ctx }) {
        const times = new Map((await scheduleTimes(ctx.db)).map((row) => [row.key, row]))
        return jobs().map((job) => {
          const time = times.get(scheduleKey(job))
          return {
            id: jobId(job),
            name: job.name,
            resource_type: job.resourceType ?? null,
            schedule: time?.schedule ?? job.schedule ?? null,
            next_run_at: time?.next_run_at ?? null,
            last_run_at: time?.last_run_at ?? null,
          }
        })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/jobs/:id/run',
      access: anyOf('admin'),
      summary: 'Run a job now, beside its schedule',
      params: z.object({ id: z.string().min(1).max(200) }),
      output: z.object({ queued: z.literal(true) }),
      async handle({ ctx, user, params, request, reply }) {
        const job = jobs().find((each) => jobId(each) === params.id)
        if (!job) throw notFound('The job')
        await ctx.db.tx(async (sql) => {
          await queueJob(ctx, sql, job)
          await audit(sql, {
            action: 'job_started',
            actor: user,
            target: { type: 'job', id: params.id, name: job.name },
            request,
          })
        })
        return reply.code(202).send({ queued: true })
      },
    }),
    route({
      method: 'GET',
      path: '/v1/queue/failed',
      access: anyOf('admin'),
      summary: 'Queued tasks that failed for good, newest first',
      output: z.array(FailedTask),
      handle: ({ ctx }) => failedTasks(ctx.db, 200),
    }),
    route({
      method: 'POST',
      path: '/v1/queue/:id/retry',
      access: anyOf('admin'),
      summary: 'Try a failed task again',
      params: TaskId,
      output: z.object({ task: z.string() }),
      handle: ({ ctx, user, params, request }) =>
        ctx.db.tx(async (sql) => {
          const found = await retryTask(sql, params.id)
          if (!found) throw notFound('The failed task')
          await audit(sql, {
            action: 'task_retried',
            actor: user,
            target: { type: 'task', id: params.id, name: found.task },
            request,
          })
          return found
        }),
    }),
    route({
      method: 'DELETE',
      path: '/v1/queue/:id',
      access: anyOf('admin'),
      summary: 'Take a failed task off the queue',
      params: TaskId,
      output: z.object({ task: z.string() }),
      handle: ({ ctx, user, params, request }) =>
        ctx.db.tx(async (sql) => {
          const found = await discardTask(sql, params.id)
          if (!found) throw notFound('The failed task')
          await audit(sql, {
            action: 'task_discarded',
            actor: user,
            target: { type: 'task', id: params.id, name: found.task },
            request,
          })
          return found
        }),
    }),
  ]
}

import { z } from 'zod'
import { read, type Route, route } from '../../platform/http/route.ts'
import { jobStatistics } from './statistics.sql.ts'

const Statistics = z.object({
  name: z.string(),
  runs: z.number(),
  success: z.number(),
  warning: z.number(),
  failed: z.number(),
  running: z.number(),
  other: z.number(),
  average_millis: z.number().nullable(),
  p95_millis: z.number().nullable(),
  longest_millis: z.number().nullable(),
  last_status: z.string().nullable(),
  last_run_at: z.date().nullable(),
  last_failed_at: z.date().nullable(),
  last_error: z.string().nullable(),
})

/** Runs of each job that the figures are about. */
const runsEach = 200

export const jobStatisticsRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/jobs/statistics',
    access: read('database'),
    summary: 'How the last 200 runs of every job went',
    output: z.array(Statistics),
    handle: ({ ctx }) => jobStatistics(ctx.db, runsEach),
  }),
]

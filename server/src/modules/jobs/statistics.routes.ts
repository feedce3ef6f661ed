import { JobStatistics } from '@quarterdeck/contract/jobs'
import { z } from 'zod'
import { read, type Route, route } from '../../platform/http/route.ts'
import { jobStatistics } from './statistics.sql.ts'

/** Runs of each job that the figures are about. */
const runsEach = 200

export const jobStatisticsRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/jobs/statistics',
    access: read('database'),
    summary: 'How the last 200 runs of every job went',
    output: z.array(JobStatistics),
    handle: ({ ctx }) => jobStatistics(ctx.db, runsEach),
  }),
]

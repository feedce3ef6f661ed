import { z } from 'zod'

/** How the newest runs of all jobs of a name went; so few that a job with a long past costs no more than another. */
export const JobStatistics = z.object({
  name: z.string(),
  runs: z.number(),
  success: z.number(),
  warning: z.number(),
  failed: z.number(),
  running: z.number(),
  /** STALE, SKIPPED and words of others. */
  other: z.number(),
  average_millis: z.number().nullable(),
  p95_millis: z.number().nullable(),
  longest_millis: z.number().nullable(),
  last_status: z.string().nullable(),
  last_run_at: z.date().nullable(),
  last_failed_at: z.date().nullable(),
  last_error: z.string().nullable(),
})
export type JobStatistics = z.infer<typeof JobStatistics>

/** The same as JSON carries it. */
export type SentJobStatistics = Omit<JobStatistics, 'last_run_at' | 'last_failed_at'> & {
  last_run_at: string | null
  last_failed_at: string | null
}

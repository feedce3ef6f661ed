import { parseSchedule } from '@quarterdeck/contract/schedule'
import type { Context } from '../../context.ts'
import { defineJob } from '../jobs/job.ts'
import { runJob } from '../jobs/run-job.ts'
import { type CanaryPlan, type CanaryRow, scheduleOf } from './canary.ts'

/** What keeps a canary, or some of its checks, from running. */
export function problemsOf(canary: CanaryRow, plan: CanaryPlan): string[] {
  const schedule = parseSchedule(scheduleOf(canary.spec))
  const wrong = plan.checks.flatMap((check) =>
    check.problem ? [`${check.key} "${check.name}": ${check.problem}`] : [],
  )
  return [...plan.problems, ...wrong, ...(schedule.ok ? [] : [`schedule: ${schedule.reason}`])]
}

/** Writes the problems of a canary into its job history, where the settings page shows them. */
export async function recordProblems(ctx: Context, canaryId: string, problems: readonly string[]): Promise<void> {
  if (problems.length === 0) return
  const job = defineJob({
    name: 'SyncCanary',
    run: async (_, run) => {
      for (const problem of problems) run.error(problem)
    },
  })
  await runJob(ctx, job, { resource: { id: canaryId, type: 'canary' } })
}

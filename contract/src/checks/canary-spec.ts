import { z } from 'zod'
import { ScheduleText } from '../documents.ts'
import { checkSchemas } from './index.ts'

const { webhook, ...listed } = checkSchemas

/** Kinds that are kept in a spec though nothing runs them here. */
const idle = ['docker', 'dockerPush', 'containerd', 'containerdPush', 'helm'] as const
const idleList = z
  .array(z.looseObject({ name: z.string().optional() }))
  .optional()
  .describe('Kept, but not run by this server')

const lists = Object.fromEntries(
  Object.entries(listed).map(([key, { label, schema }]) => [
    key,
    z
      .array(schema as z.ZodType)
      .optional()
      .describe(`${label} checks`),
  ]),
)

/** What a canary holds: a schedule and lists of checks, one list per kind. Unknown keys are refused. */
export const CanarySpec = z.strictObject({
  schedule: ScheduleText.optional().describe('When the checks run: @every 1m, @hourly, or five cron fields'),
  interval: z.number().positive().optional().describe('Seconds between runs; schedule wins'),
  severity: z.string().optional().describe('critical, high, medium, low or info'),
  icon: z.string().optional(),
  owner: z.string().optional(),
  replicas: z.int().min(0).optional().describe('0 suspends the canary'),
  resultMode: z.string().optional(),
  env: z.record(z.string(), z.unknown()).optional().describe('Values for templates'),
  webhook: z
    .union([webhook.schema, z.array(webhook.schema)])
    .optional()
    .describe('A check whose results are sent here'),
  ...lists,
  ...Object.fromEntries(idle.map((key) => [key, idleList])),
})

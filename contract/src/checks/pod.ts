import { z } from 'zod'
import { SecretText, common } from './common.ts'

export const PodCheck = z.looseObject({
  ...common,
  spec: z.union([z.string(), z.looseObject({})]).describe('Pod to run'),
  scheduleTimeout: z.number().int().min(0).optional(),
  ingressClass: z.string().optional(),
  roundRobinNodes: z.boolean().optional(),
  schedule_timeout: z.number().int().min(0).optional(),
  readyTimeout: z.number().int().min(0).optional(),
  httpTimeout: z.number().int().min(0).optional(),
  deleteTimeout: z.number().int().min(0).optional(),
  ingressTimeout: z.number().int().min(0).optional(),
  httpRetryInterval: z.number().int().min(0).optional(),
  deadline: z.number().int().min(0).optional(),
  port: z.number().int().optional(),
  path: z.string().optional(),
  ingressName: z.string().optional(),
  ingressHost: z.string().optional(),
  expectedContent: z.string().optional(),
  expectedHttpStatuses: z.array(z.number().int()).optional(),
  priorityClass: z.string().optional(),
  connection: z.string().optional(),
  kubeconfig: SecretText.optional(),
})
export type PodCheck = z.infer<typeof PodCheck>

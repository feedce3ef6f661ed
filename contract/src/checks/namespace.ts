import { z } from 'zod'
import { SecretText, common } from './common.ts'

export const NamespaceCheck = z.looseObject({
  ...common,
  checkName: z.string().optional(),
  namespaceNamePrefix: z.string().optional(),
  namespaceLabels: z.record(z.string(), z.string()).optional(),
  namespaceAnnotations: z.record(z.string(), z.string()).optional(),
  podSpec: z.union([z.string(), z.looseObject({})]).describe('Pod to run in the new namespace'),
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
export type NamespaceCheck = z.infer<typeof NamespaceCheck>

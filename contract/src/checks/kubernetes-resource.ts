import { z } from 'zod'
import { SecretText, common, templated } from './common.ts'

export const KubernetesResourceCheck = z.looseObject({
  ...common,
  ...templated,
  staticResources: z.array(z.looseObject({})).optional(),
  resources: z.array(z.looseObject({})).min(1),
  checks: z.array(z.looseObject({})).optional(),
  checkRetries: z
    .object({ delay: z.string().optional(), timeout: z.string().optional(), interval: z.string().optional() })
    .optional(),
  clearResources: z.boolean().optional(),
  connection: z.string().optional(),
  kubeconfig: SecretText.optional(),
  waitFor: z
    .object({
      expr: z.string().optional(),
      disable: z.boolean().optional(),
      delete: z.boolean().optional(),
      timeout: z.string().optional(),
      interval: z.string().optional(),
    })
    .optional(),
})
export type KubernetesResourceCheck = z.infer<typeof KubernetesResourceCheck>

import { z } from 'zod'
import { SecretText, common, templated } from './common.ts'

export const KubernetesCheck = z.looseObject({
  ...common,
  ...templated,
  kind: z.string().min(1).describe('Kind of resource, for example Pod'),
  namespaceSelector: z
    .looseObject({
      name: z.string().optional(),
      labelSelector: z.string().optional(),
      fieldSelector: z.string().optional(),
    })
    .optional(),
  resource: z
    .looseObject({
      name: z.string().optional(),
      labelSelector: z.string().optional(),
      fieldSelector: z.string().optional(),
    })
    .optional(),
  ignore: z.array(z.string()).optional().describe('Names to leave out; globs'),
  healthy: z.boolean().optional(),
  ready: z.boolean().optional(),
  connection: z.string().optional(),
  kubeconfig: SecretText.optional(),
})
export type KubernetesCheck = z.infer<typeof KubernetesCheck>

import { z } from 'zod'
import { connected, extraction, SecretText } from './common.ts'

export const KubernetesFileScraper = z.looseObject({
  ...extraction,
  ...connected,
  kubeconfig: SecretText.optional().describe(
    'A kubeconfig, or a path to one; the cluster this server runs in unless given',
  ),
  selector: z
    .looseObject({
      namespace: z.string().optional().describe('All unless given'),
      kind: z.enum(['Pod', 'Deployment', 'StatefulSet']).default('Pod'),
      name: z.string().optional(),
      labelSelector: z.string().optional(),
      fieldSelector: z.string().optional(),
    })
    .describe('In which pods; of a Deployment or StatefulSet one running pod is read'),
  container: z.string().optional().describe('The first container unless given'),
  files: z
    .array(
      z.looseObject({
        path: z.union([z.string(), z.array(z.string())]).describe('Absolute paths, * and ? as a shell reads them'),
        format: z.string().optional().describe('json, yaml or properties; anything else is kept as text'),
      }),
    )
    .min(1),
})
export type KubernetesFileScraper = z.infer<typeof KubernetesFileScraper>

import { z } from 'zod'
import { DurationText } from '../documents.ts'
import { connected, extraction, Lookup, SecretText } from './common.ts'

const words = z.array(z.string())
const patterns = (what: string) => words.optional().describe(`${what}; * at the beginning or end stands for anything`)

/** Kinds that are watched between two scrapes unless the spec names others. */
export const watchedKinds = [
  { apiVersion: 'apps/v1', kind: 'DaemonSet' },
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  { apiVersion: 'batch/v1', kind: 'CronJob' },
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'v1', kind: 'Node' },
  { apiVersion: 'v1', kind: 'Pod' },
] as const

export const defaultMaxInflight = 64

export const KubernetesScraper = z.looseObject({
  ...extraction,
  ...connected,
  clusterName: z.string().min(1).describe('Name of the cluster; it becomes an item and a tag of all others'),
  kubeconfig: SecretText.optional().describe(
    'A kubeconfig, or a path to one; the cluster this server runs in unless given',
  ),
  namespace: z.string().optional().describe('Only what is in this namespace'),
  scope: z.enum(['cluster', 'namespace', '']).optional().describe('Only kinds without (cluster) or with a namespace'),
  since: z
    .union([z.literal(''), DurationText])
    .optional()
    .describe('Only objects created so long ago at most'),
  selector: z.string().optional().describe('Label selector, app=web,tier!=cache'),
  fieldSelector: z
    .string()
    .optional()
    .describe('Field selector, metadata.name=web; kinds that do not have the field are left out'),
  maxInflight: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(`Kinds that are read at once, ${defaultMaxInflight} unless given`),
  useCache: z.boolean().optional().describe('Ask at most every 10 minutes which kinds there are'),
  allowIncomplete: z
    .boolean()
    .optional()
    .describe('Kinds that may not be read are no failure; without it nothing is deleted while one is missing'),
  watch: z
    .array(z.looseObject({ apiVersion: z.string().optional(), kind: z.string().min(1) }))
    .optional()
    .describe(
      'Kinds that are followed between scrapes: workloads, nodes and pods unless given; an empty list follows none',
    ),
  event: z
    .looseObject({
      exclusions: z
        .looseObject({
          name: patterns('Names of objects'),
          namespace: patterns('Namespaces'),
          reason: patterns('Reasons'),
        })
        .optional()
        .describe('Events that are not kept'),
      severityKeywords: z
        .looseObject({
          warn: words.optional().describe('Words in the reason that make a change a warning'),
          error: words.optional().describe('Words in the reason that make a change an error'),
        })
        .optional(),
    })
    .optional()
    .describe('How events become changes'),
  exclusions: z
    .looseObject({
      name: patterns('Names'),
      kind: patterns('Kinds'),
      namespace: patterns('Namespaces'),
      labels: z.record(z.string(), z.string()).optional().describe('Labels and their values, with *'),
    })
    .optional()
    .describe('Objects that are not kept'),
  relationships: z
    .array(z.looseObject({ kind: Lookup, name: Lookup, namespace: Lookup }))
    .optional()
    .describe('Further objects that belong to an object'),
})
export type KubernetesScraper = z.infer<typeof KubernetesScraper>

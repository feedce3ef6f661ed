import { z } from 'zod'

const KeyRef = z.object({ name: z.string(), key: z.string() })

/** A value given in place, or a reference to where it is kept. */
export const EnvVar = z
  .object({
    name: z.string().optional(),
    value: z.string().optional(),
    valueFrom: z
      .object({
        secretKeyRef: KeyRef.optional(),
        configMapKeyRef: KeyRef.optional(),
        helmRef: KeyRef.optional(),
        serviceAccount: z.string().optional(),
      })
      .optional(),
  })
  .describe('A value, or a reference to a secret, a config map, a Helm release or a service account')
export type EnvVar = z.infer<typeof EnvVar>

/** Where a single value is wanted the plain text is accepted too. */
export const SecretText = z.union([z.string(), EnvVar]).describe('A text, or a reference to where it is kept')
export type SecretText = z.infer<typeof SecretText>

/** An expression that decides, shows or reshapes a result; one of the four is set. */
export const Template = z
  .object({
    template: z.string().optional().describe('Go template'),
    expr: z.string().optional().describe('CEL expression'),
    javascript: z.string().optional().describe('JavaScript, run in a sandbox'),
    jsonPath: z.string().optional().describe('JSONPath'),
  })
  .describe('An expression over the result')

const Lookup = z.object({ expr: z.string().optional(), value: z.string().optional(), label: z.string().optional() })
const RelationSelector = z.object({
  id: Lookup.optional(),
  external_id: Lookup.optional(),
  name: Lookup.optional(),
  namespace: Lookup.optional(),
  type: Lookup.optional(),
  agent: Lookup.optional(),
  scope: Lookup.optional(),
  labels: z.record(z.string(), z.string()).optional(),
})

/** Fields of every kind. */
export const common = {
  name: z.string().min(1).describe('Name of the check, unique within its canary and kind'),
  description: z.string().optional().describe('What the check is about'),
  icon: z.string().optional().describe('Icon shown beside the name'),
  namespace: z
    .union([z.string(), z.looseObject({ name: z.string().optional() })])
    .optional()
    .describe('Namespace of the check, when it differs from that of its canary'),
  labels: z.record(z.string(), z.string()).optional().describe('Labels, laid over those of the canary'),
  severity: z.string().optional().describe('critical, high, medium, low or info'),
  owner: z.string().optional(),
  transformDeleteStrategy: z
    .enum(['MarkHealthy', 'MarkUnhealthy', 'Ignore'])
    .optional()
    .describe('What becomes of a check that a transform no longer names'),
  metrics: z
    .array(
      z.object({
        name: z.string(),
        type: z.enum(['counter', 'gauge', 'histogram']),
        value: z.string().describe('CEL expression that gives a number'),
        labels: z
          .array(z.object({ name: z.string(), value: z.string().optional(), valueExpr: z.string().optional() }))
          .optional(),
      }),
    )
    .optional()
    .describe('Metrics exported to Prometheus'),
  relationships: z
    .object({ components: z.array(RelationSelector).optional(), configs: z.array(RelationSelector).optional() })
    .optional()
    .describe('Catalog items and components the check is about'),
}

export const templated = {
  test: Template.optional().describe('Must give true for the check to pass'),
  display: Template.optional().describe('Gives the message of the result'),
  transform: Template.optional().describe('Turns one result into one or several checks'),
}

export const connected = {
  connection: z.string().optional().describe('connection://namespace/name, an id, or a url'),
  url: z.string().optional(),
  username: SecretText.optional(),
  password: SecretText.optional(),
}

export const threshold = z
  .number()
  .int()
  .min(0)
  .optional()
  .describe('Milliseconds after which the check fails; 0 is no limit')

export const awsFields = {
  connection: z.string().optional(),
  accessKey: SecretText.optional(),
  secretKey: SecretText.optional(),
  sessionToken: SecretText.optional(),
  assumeRole: z.string().optional(),
  region: z.string().optional(),
  endpoint: z.string().optional(),
  skipTLSVerify: z.boolean().optional(),
}

/** A duration such as 90s, 1h30m or 3d. */
export const duration = z
  .string()
  .regex(/^\d+(\.\d+)?[a-zµ]+(\d+(\.\d+)?[a-zµ]+)*$|^0$/, 'must be a duration such as 90s, 1h30m or 3d')

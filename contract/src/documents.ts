import { z } from 'zod'
import { parseDuration, scheduleProblem } from './schedule.ts'

/**
 * Documents that describe resources in files: apiVersion, kind, metadata, spec. What a spec may hold belongs to its
 * area; areas replace the general schemas below with theirs by `registerKind`.
 */

export const documentKinds = [
  'Connection',
  'Team',
  'Canary',
  'ScrapeConfig',
  'Topology',
  'Playbook',
  'IncidentRule',
  'Notification',
] as const
export type DocumentKind = (typeof documentKinds)[number]

export const apiVersions: Record<DocumentKind, string> = {
  Connection: 'mission-control.flanksource.com/v1',
  Team: 'mission-control.flanksource.com/v1',
  Canary: 'canaries.flanksource.com/v1',
  ScrapeConfig: 'configs.flanksource.com/v1',
  Topology: 'canaries.flanksource.com/v1',
  Playbook: 'mission-control.flanksource.com/v1',
  IncidentRule: 'mission-control.flanksource.com/v1',
  Notification: 'mission-control.flanksource.com/v1',
}

const named = (what: string) =>
  z
    .string({ error: `${what} must be text` })
    .min(1, `${what} cannot be empty`)
    .max(253, `${what} has at most 253 characters`)
    .regex(/^[^/\u0000-\u001f\u007f]+$/, `${what} cannot hold a slash or control characters`)
    .refine((text) => text.trim() === text, `${what} cannot begin or end with a space`)

/** Values of labels and annotations are text; numbers and switches that were not quoted are taken as written. */
export const StringMap = z.record(
  z.string(),
  z.union([z.string(), z.number().transform(String), z.boolean().transform(String)], { error: 'must be text' }),
)

/** More keys than these are allowed, and ignored: documents written by Kubernetes carry many. */
export const Metadata = z.looseObject({
  name: named('metadata.name'),
  namespace: named('metadata.namespace').optional(),
  labels: StringMap.nullish().transform((labels) => labels ?? {}),
  annotations: StringMap.nullish().transform((annotations) => annotations ?? {}),
  uid: z.uuid('metadata.uid must be a uuid').optional(),
})
export type Metadata = z.infer<typeof Metadata>

export interface ResourceDocument<Spec = Record<string, unknown>> {
  apiVersion: string
  kind: DocumentKind
  metadata: Metadata
  spec: Spec
}

/** The frame of a document, before its kind's own rules. */
export const Envelope = z.looseObject({
  apiVersion: z.string({ error: 'apiVersion is needed' }),
  kind: z.enum(documentKinds, { error: `kind must be one of ${documentKinds.join(', ')}` }),
  metadata: Metadata,
  spec: z.record(z.string(), z.unknown(), { error: 'spec is needed and must be an object' }),
})

/** A schedule as people write it; the message says what is wrong. */
export const ScheduleText = z.string().superRefine((text, context) => {
  const problem = scheduleProblem(text)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})
export const DurationText = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as 30s or 1h30m')

/** A value, or where it comes from. Text is allowed for short. */
const KeyRef = z.object({ name: z.string().min(1), key: z.string().min(1) })
export const EnvVar = z.union([
  z.string(),
  z.strictObject({
    name: z.string().optional(),
    value: z.string().optional(),
    valueFrom: z
      .strictObject({
        secretKeyRef: KeyRef.optional(),
        configMapKeyRef: KeyRef.optional(),
        helmRef: KeyRef.optional(),
        serviceAccount: z.string().min(1).optional(),
      })
      .optional(),
  }),
])
export type EnvVar = z.infer<typeof EnvVar>

export interface KindDefinition {
  /** What the spec must look like. */
  spec: z.ZodType
  /** Files under /schemas/ that show it to editors. */
  schemaFile: string
  /** One sentence for people who read the schema. */
  description: string
}

const selector = z.looseObject({})
/** Its area has landed, and brings the rules along. */
const ofItsArea = z.looseObject({})
/** What a scraper reads from; each has a schema file of its own. */
const scraperKinds =
  'aws azure azureDevops file gcp githubActions http kubernetes kubernetesFile slack sql terraform trivy'

const definitions: Record<DocumentKind, KindDefinition> = {
  Canary: {
    schemaFile: 'canary.spec.schema.json',
    description: 'Health checks that run together on one schedule.',
    spec: ofItsArea,
  },
  ScrapeConfig: {
    schemaFile: 'scrape_config.spec.schema.json',
    description: 'Where catalog items come from.',
    spec: ofItsArea,
  },
  Topology: {
    schemaFile: 'topology.spec.schema.json',
    description: 'A tree of components and how their health is found.',
    spec: ofItsArea,
  },
  Playbook: {
    schemaFile: 'playbook-spec.schema.json',
    description: 'Steps that people or events run on a resource.',
    spec: z.looseObject({
      title: z.string().optional(),
      description: z.string().optional(),
      category: z.string().optional(),
      icon: z.string().optional(),
      configs: z.array(selector).optional(),
      checks: z.array(selector).optional(),
      components: z.array(selector).optional(),
      parameters: z.array(z.looseObject({ name: z.string().min(1) })).optional(),
      actions: z.array(z.looseObject({ name: z.string().min(1) })).min(1, 'a playbook needs at least one action'),
      filters: z.array(z.string()).optional(),
    }),
  },
  Notification: {
    schemaFile: 'notification.spec.schema.json',
    description: 'Who is told of which events.',
    spec: z.strictObject({
      events: z.array(z.string().min(1)).min(1, 'a notification needs at least one event'),
      title: z.string().optional(),
      template: z.string().optional(),
      filter: z.string().optional(),
      repeatInterval: DurationText.optional(),
      groupBy: z.array(z.enum(['notification_id', 'resource_id', 'source_event'])).optional(),
      to: z
        .strictObject({
          person: z.string().optional(),
          team: z.string().optional(),
          email: z.email('must be an e-mail address').optional(),
          connection: z.string().optional(),
          url: z.string().optional(),
          properties: StringMap.optional(),
        })
        .refine(
          (to) =>
            [to.person, to.team, to.email, to.connection, to.url].filter((each) => each !== undefined).length === 1,
          'exactly one of person, team, email, connection and url says who is told',
        ),
    }),
  },
  Connection: {
    schemaFile: 'connection.spec.schema.json',
    description: 'How to reach another system, and with which credentials.',
    spec: z.strictObject({
      type: z.string().min(1),
      url: EnvVar.optional(),
      username: EnvVar.optional(),
      password: EnvVar.optional(),
      certificate: EnvVar.optional(),
      properties: StringMap.optional(),
      insecureTLS: z.boolean().optional(),
      insecure_tls: z.boolean().optional(),
    }),
  },
  IncidentRule: {
    schemaFile: 'incident_rule.spec.schema.json',
    description: 'When an incident is opened by itself.',
    spec: ofItsArea,
  },
  Team: {
    schemaFile: 'team.spec.schema.json',
    description: 'People who own components and answer incidents together.',
    spec: z.looseObject({
      icon: z.string().optional(),
      components: z.array(selector).optional(),
      notifications: z.array(z.looseObject({ name: z.string().optional() })).optional(),
      responder_clients: z.record(z.string(), z.looseObject({})).optional(),
    }),
  },
}

const current = new Map<DocumentKind, KindDefinition>(Object.entries(definitions) as [DocumentKind, KindDefinition][])

/** An area's own rules for the spec of its kind, instead of the general ones. Call it while the module loads. */
export function registerKind(kind: DocumentKind, definition: Partial<KindDefinition>): void {
  current.set(kind, { ...kindDefinition(kind), ...definition })
}

export function kindDefinition(kind: DocumentKind): KindDefinition {
  return current.get(kind) ?? definitions[kind]
}

/** Further schemas for editors by file name, such as one kind of scraper. */
const extraFiles = new Map<string, z.ZodType>(
  scraperKinds
    .split(' ')
    .map((kind) => [`config_${kind.toLowerCase()}.schema.json`, z.looseObject({ name: z.string().optional() })]),
)

export function registerSchemaFile(file: string, schema: z.ZodType): void {
  extraFiles.set(file, schema)
}

/** The schema behind a file name of /schemas/; undefined when there is none of that name. */
export function schemaOfFile(file: string): { schema: z.ZodType; title: string; description?: string } | undefined {
  for (const kind of documentKinds) {
    const { schemaFile, spec, description } = kindDefinition(kind)
    if (file === schemaFile || (kind === 'ScrapeConfig' && file === 'config_scraper.spec.schema.json')) {
      return { schema: spec, title: `${kind} spec`, description }
    }
    if (file === `${kind.toLowerCase()}.schema.json`) return { schema: documentSchema(kind), title: kind, description }
  }
  const schema = extraFiles.get(file)
  return schema && { schema, title: file.replace('.schema.json', '') }
}

export const schemaFileNames = (): string[] => [
  ...documentKinds.flatMap((kind) => [kindDefinition(kind).schemaFile, `${kind.toLowerCase()}.schema.json`]),
  'config_scraper.spec.schema.json',
  ...extraFiles.keys(),
]

/** A whole document of one kind. */
export const documentSchema = (kind: DocumentKind) =>
  z.looseObject({
    apiVersion: z.literal(apiVersions[kind]),
    kind: z.literal(kind),
    metadata: Metadata,
    spec: kindDefinition(kind).spec,
  })

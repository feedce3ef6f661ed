import { z } from 'zod'
import { EnvVar, StringMap } from './documents.ts'

/** Which searches a backend answers. */
const Route = z.strictObject({
  type: z.string().optional().describe('Type of the component; empty takes any'),
  id_prefix: z.string().optional().describe('Start of the id'),
  labels: StringMap.optional().describe('Values are lists such as a,!b,prefix*'),
  is_additive: z.boolean().optional().describe('A match ends the search'),
})

const common = {
  routes: z.array(Route).optional().describe('Without a route a backend is never asked'),
  labels: StringMap.optional().describe('Added to every line'),
}

const Fields = z.strictObject({
  timestamp: z.string().optional(),
  message: z.string().optional(),
  exclusions: z.array(z.string()).optional().describe('Fields that do not become labels'),
})

const search = {
  address: z.string().min(1).optional(),
  api_key: EnvVar.optional(),
  username: EnvVar.optional(),
  password: EnvVar.optional(),
  namespace: z.string().optional(),
  index: z.string().min(1),
  query: z.string().optional().describe('Template of the search body'),
  fields: Fields.optional(),
  ...common,
}

const kinds = {
  kubernetes: z.strictObject({ kubeconfig: EnvVar.nullish(), namespace: z.string().optional(), ...common }),
  file: z.strictObject({ path: z.array(z.string().min(1)).min(1, 'at least one path is needed'), ...common }),
  elasticsearch: z.strictObject({ cloud_id: EnvVar.optional(), ...search }),
  opensearch: z.strictObject(search),
  cloudwatch: z.strictObject({
    auth: z
      .strictObject({ region: z.string().optional(), access_key: EnvVar.optional(), secret_key: EnvVar.optional() })
      .optional(),
    log_group: z.string().min(1),
    query: z.string().optional(),
    namespace: z.string().optional(),
    ...common,
  }),
}
export const logBackendKinds = Object.keys(kinds) as (keyof typeof kinds)[]

const Backend = z
  .strictObject(Object.fromEntries(Object.entries(kinds).map(([kind, schema]) => [kind, schema.optional()])))
  .refine(
    (backend) => Object.values(backend).filter((kind) => kind !== undefined).length === 1,
    `exactly one of ${logBackendKinds.join(', ')} says where the lines are`,
  )

/** What a log backend holds: places to read lines from, asked in this order. */
export const LogBackendSpec = z.strictObject({
  backends: z.array(Backend).min(1, 'at least one backend is needed'),
})
export type LogBackendSpec = z.infer<typeof LogBackendSpec>

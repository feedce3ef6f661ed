import type { EnvVar } from '@quarterdeck/contract/documents'
import { compact, DocumentProblem, fromFile, type KindStore } from './kind-store.ts'

export const connection: KindStore = {
  kind: 'Connection',
  table: 'connections',
  columns: {
    name: 'text',
    namespace: 'text',
    type: 'text',
    url: 'text',
    username: 'text',
    password: 'text',
    certificate: 'text',
    properties: 'jsonb',
    insecure_tls: 'boolean',
  },
  source: () => fromFile,
  sourceType: 'source',
  defaultNamespace: 'default',
  nameColumns: ['name', 'namespace'],
  secrets: ['url', 'username', 'password', 'certificate', 'properties'],
  toColumns: ({ metadata, spec }) => ({
    name: metadata.name,
    namespace: metadata.namespace ?? 'default',
    type: spec.type,
    url: textOf(spec.url as EnvVar, 'url'),
    username: textOf(spec.username as EnvVar, 'username'),
    password: textOf(spec.password as EnvVar, 'password'),
    certificate: textOf(spec.certificate as EnvVar, 'certificate'),
    properties: spec.properties ? stringValues(spec.properties as Record<string, unknown>) : null,
    insecure_tls: spec.insecureTLS ?? spec.insecure_tls ?? false,
  }),
  toDocument: (row) => ({
    metadata: { name: String(row.name), namespace: String(row.namespace) },
    spec: compact({
      type: row.type,
      url: envVar(row.url),
      username: envVar(row.username),
      password: envVar(row.password),
      certificate: envVar(row.certificate),
      properties: row.properties,
      ...(row.insecure_tls ? { insecureTLS: true } : {}),
    }),
  }),
}

const stringValues = (map: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]))

/** The column's text form of a value or reference. */
function textOf(value: EnvVar | undefined, column: string): string | null {
  if (value === undefined || typeof value === 'string') return value ?? null
  const from = value.valueFrom
  const given = [value.value, from?.secretKeyRef, from?.configMapKeyRef, from?.helmRef, from?.serviceAccount]
  if (given.filter((each) => each !== undefined).length > 1) {
    throw new DocumentProblem('a value comes from one place only', ['spec', column])
  }
  if (from?.secretKeyRef) return `secret://${from.secretKeyRef.name}/${from.secretKeyRef.key}`
  if (from?.configMapKeyRef) return `configmap://${from.configMapKeyRef.name}/${from.configMapKeyRef.key}`
  if (from?.helmRef) return `helm://${from.helmRef.name}/${from.helmRef.key}`
  if (from?.serviceAccount) return `serviceaccount://${from.serviceAccount}`
  return value.value ?? null
}

/** The object form, as documents have it. */
function envVar(column: unknown): EnvVar | undefined {
  if (typeof column !== 'string') return undefined
  const [, scheme, name = '', key = ''] =
    /^(secret|configmap|helm|serviceaccount):\/\/([^/]+)(?:\/(.+))?$/.exec(column) ?? []
  switch (scheme) {
    case 'secret':
      return { valueFrom: { secretKeyRef: { name, key } } }
    case 'configmap':
      return { valueFrom: { configMapKeyRef: { name, key } } }
    case 'helm':
      return { valueFrom: { helmRef: { name, key } } }
    case 'serviceaccount':
      return { valueFrom: { serviceAccount: name } }
    default:
      return { value: column }
  }
}

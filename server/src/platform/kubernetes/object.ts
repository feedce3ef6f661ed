export type Health = 'healthy' | 'unhealthy' | 'warning' | 'unknown'

export interface HealthStatus {
  health: Health
  /** Short text, such as Running or CrashLoopBackOff. */
  status: string
  /** Whether the object has finished converging. */
  ready: boolean
  message: string
}

/** A Kubernetes object, read without trusting its shape. */
export type KubernetesObject = Record<string, unknown>

export const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
export const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(record) : [])
export const word = (value: unknown): string => (typeof value === 'string' ? value : '')
export const count = (value: unknown): number => {
  const number = typeof value === 'string' ? Number(value) : typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : 0
}
/** Milliseconds since 1970, or undefined. */
export const time = (value: unknown): number | undefined => {
  const ms = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
export interface Condition {
  type?: string
  status?: string
  reason?: string
  message?: string
  lastTransitionTime?: string
}

export const conditionsOf = (object: KubernetesObject): Condition[] =>
  records(record(object.status).conditions) as Condition[]

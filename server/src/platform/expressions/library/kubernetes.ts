import {
  labelsOf,
  neat as neatObject,
  nodeProperties,
  podProperties,
  type ResourceList,
  resourcesOf,
} from '../../kubernetes/details.ts'
import { healthOf } from '../../kubernetes/health.ts'
import type { KubernetesObject } from '../../kubernetes/object.ts'
import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { isMap, toHost, type Value } from '../values/values.ts'
import { text } from './args.ts'
import { parseYaml, toJson, toYaml } from './data.ts'

/** An object, a map, or YAML or JSON text. */
function objectOf(run: Run, value: Value): KubernetesObject {
  const read = typeof value === 'string' || value instanceof Uint8Array ? parseYaml(run, text(value)) : toHost(value)
  run.spend(50)
  if (!isMap(read)) throw new ValueError('a Kubernetes object is expected')
  return read as KubernetesObject
}

/** What does not look like an object is neither healthy nor ready, as a missing object would be. */
function maybeObject(run: Run, value: Value): KubernetesObject | undefined {
  return value === null || value === undefined || value === '' ? undefined : objectOf(run, value)
}

const health = (run: Run, value: Value) => {
  const object = maybeObject(run, value)
  return object
    ? healthOf(object, run.now)
    : { health: 'unknown' as const, status: 'Unknown', ready: false, message: '' }
}

export const isHealthy = (run: Run, value: Value): boolean => health(run, value).health === 'healthy'
export const isReady = (run: Run, value: Value): boolean => health(run, value).ready
export function getHealth(run: Run, value: Value): Record<string, unknown> {
  const found = health(run, value)
  return { ...found, ok: found.health === 'healthy' }
}
export function getStatus(run: Run, value: Value): string {
  const { status, message } = health(run, value)
  return message ? `${status}: ${message}` : status
}

/** The object without what the server manages; as data, or as text when text came in or a format is named. */
export function neat(run: Run, value: Value, format = 'same'): Value {
  const result = neatObject(objectOf(run, value))
  const source = typeof value === 'string' ? value.trimStart() : undefined
  const as = format === 'same' ? (source === undefined ? 'data' : source.startsWith('{') ? 'json' : 'yaml') : format
  if (as === 'json') return toJson(run, result)
  if (as === 'yaml') return toYaml(run, result)
  if (as === 'data') return result
  throw new ValueError(`"${format}" is no format; yaml, json and same are`)
}

export const labels = (run: Run, value: Value): Record<string, string> => labelsOf(objectOf(run, value))
export const pod = (run: Run, value: Value): unknown => podProperties(objectOf(run, value))
export const node = (run: Run, value: Value): unknown => nodeProperties(objectOf(run, value))
export const resources = (run: Run, value: Value, list: ResourceList, name: string): number =>
  resourcesOf(objectOf(run, value), list, name)

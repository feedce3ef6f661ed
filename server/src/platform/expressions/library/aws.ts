import { put, isMap, getKey, type Value } from '../values/values.ts'
import { list, text } from './args.ts'

/** `arn:partition:service:region:account:resource` in parts; what is missing is empty. */
export function arnToMap(value: Value): Record<string, unknown> {
  const [, , service = '', region = '', account = '', ...resource] = text(value).split(':')
  return { service, region, account, resource: resource.join(':') }
}

/** A list of {Name, Value} (or Key) pairs as one map. */
export function fromAwsMap(value: Value): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const item of list(value)) {
    if (!isMap(item)) continue
    const name = getKey(item, 'Name') ?? getKey(item, 'Key') ?? getKey(item, 'name') ?? getKey(item, 'key')
    if (name !== undefined) put(result, text(name), text(getKey(item, 'Value') ?? getKey(item, 'value') ?? ''))
  }
  return result
}

import { type KubernetesObject, record, records, word } from '../../../../platform/kubernetes/object.ts'
import { blank, isTelling } from '../telling.ts'

/** Takes what nobody may read out of an object, in place: the values of secrets, and passwords written into a pod. */
export function maskSecrets(object: KubernetesObject): void {
  if (word(object.kind) === 'Secret') maskData(object)
  const spec = record(object.spec)
  maskPod(spec)
  maskPod(record(record(spec.template).spec))
  maskPod(record(record(record(record(spec.jobTemplate).spec).template).spec))
}

/** A value that was written anew must still show as a change, so the time of writing stands beside the mask. */
function maskData(object: KubernetesObject): void {
  const written = writtenAt(object)
  for (const field of ['data', 'stringData']) {
    const data = record(object[field])
    for (const key of Object.keys(data)) {
      const at = written.get(key)
      data[key] = at ? `${blank} since ${at}` : blank
    }
  }
}

/** The cluster notes who wrote which field when. */
function writtenAt(object: KubernetesObject): Map<string, string> {
  const times = new Map<string, string>()
  for (const { time, fieldsV1 } of records(record(object.metadata).managedFields)) {
    const fields = record(fieldsV1)
    for (const field of ['f:data', 'f:stringData']) {
      for (const key of Object.keys(record(fields[field]))) {
        const name = key.replace(/^f:/, '')
        if (word(time) > (times.get(name) ?? '')) times.set(name, word(time))
      }
    }
  }
  return times
}

function maskPod(spec: Record<string, unknown>): void {
  for (const list of [spec.containers, spec.initContainers, spec.ephemeralContainers]) {
    for (const container of records(list)) {
      for (const variable of records(container.env)) {
        if (word(variable.value) !== '' && isTelling(word(variable.name))) variable.value = blank
      }
    }
  }
}

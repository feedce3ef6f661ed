import type { Json } from './canonical.ts'
import { set } from './set-key.ts'

type Obj = { [key: string]: Json }
const isObject = (value: Json | undefined): value is Obj =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const has = (object: Obj, key: string): boolean => Object.hasOwn(object, key)
/** RFC 7396: the patch that turns `from` into `to`. Documents are canonical, so null only ever means "removed". */
export function mergePatch(from: Json, to: Json): Json {
  if (!isObject(from) || !isObject(to)) return to
  const patch: Obj = {}
  for (const key of Object.keys(from)) if (!has(to, key)) set(patch, key, null)
  for (const [key, value] of Object.entries(to)) {
    if (!has(from, key)) set(patch, key, value)
    else if (!same(from[key]!, value)) set(patch, key, mergePatch(from[key]!, value))
  }
  return patch
}

/** Applies a patch and leaves the document as it was. */
export function applyMergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch
  const result: Obj = {}
  if (isObject(target)) for (const [key, value] of Object.entries(target)) set(result, key, value)
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else set(result, key, applyMergePatch(has(result, key) ? result[key]! : null, value))
  }
  return result
}

/** Equal as JSON, without making a text of either. Keys may come in any order. */
export function same(one: Json, two: Json): boolean {
  if (one === two) return true
  if (typeof one !== 'object' || typeof two !== 'object' || one === null || two === null) return false
  if (Array.isArray(one)) {
    if (!Array.isArray(two) || one.length !== two.length) return false
    for (let at = 0; at < one.length; at++) if (!same(one[at]!, two[at]!)) return false
    return true
  }
  if (Array.isArray(two)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(two).length) return false
  for (const key of keys) if (!has(two, key) || !same(one[key]!, two[key]!)) return false
  return true
}

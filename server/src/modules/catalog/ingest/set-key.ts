import type { Json } from './canonical.ts'

/** A key named __proto__ must stay a key; plain assignment is far quicker for all others. */
export function set(object: { [key: string]: Json }, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

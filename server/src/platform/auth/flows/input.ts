import type { FlowInput } from './flow.ts'

/** Names and values of a form, flat: `{traits: {name: {first}}}` and `"traits.name.first"` are the same field. */
export function flatten(body: unknown): FlowInput {
  const fields = new Map<string, string>()
  const walk = (value: unknown, name: string, depth: number) => {
    if (fields.size >= 100 || value === undefined || value === null) return
    if (typeof value === 'object') {
      if (Array.isArray(value) || depth > 4) return
      for (const [key, inner] of Object.entries(value)) walk(inner, name === '' ? key : `${name}.${key}`, depth + 1)
    } else if (name !== '' && !String(value).includes('\0')) {
      // Half characters cannot be stored; what a round trip makes of them can.
      fields.set(name, Buffer.from(String(value)).toString())
    }
  }
  walk(body, '', 0)
  return fields
}

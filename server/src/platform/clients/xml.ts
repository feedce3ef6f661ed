import { XMLParser } from 'fast-xml-parser'

/** Text of the first `<name>` of a small XML answer. */
export function tagOf(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1]
  return found?.replace(/&(lt|gt|amp|quot|apos);/g, (_, entity: string) => entities[entity]!)
}
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Reads XML as plain objects; tags named in `lists` are always arrays, attributes begin with `@`. */
export function readXml(xml: string, lists: readonly string[] = []): Record<string, unknown> {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    removeNSPrefix: true,
    isArray: (name) => lists.includes(name),
  })
  return parser.parse(xml) as Record<string, unknown>
}

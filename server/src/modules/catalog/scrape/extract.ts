import { templateText } from '../../../platform/expressions/struct-template.ts'
import { type Env, sharedExpressions } from '../../../platform/expressions/expressions.ts'
import { canonical } from '../ingest/canonical.ts'
import { type CatalogItem, finishItem } from '../ingest/catalog-item.ts'
import type { ItemProperty, KindSpec, ScrapedItem } from '../kinds/kind.ts'
import { parseBody } from './format.ts'
import { unwrapFull } from './full.ts'
import { asText, fieldText, firstTime, nodesAt } from './paths.ts'
import { selectorsOf } from './relationship-rules.ts'
import { applies } from './rules.ts'
import { exclude, hasScript, mask, runScript } from './transform.ts'

export interface Problem {
  message: string
  item?: string
  partial?: boolean
}
export type Extracted = { item: CatalogItem } | { error: Problem }

/** Of one document; more of them are a mistake, or a matter for several scrapers. */
const mostItems = 200_000

export interface ExtractOptions {
  full: boolean
}

/** Turns one result of a kind into the items of its document, in the order of the rules; what is wrong is yielded too. */
export async function* extract(
  scraped: ScrapedItem,
  spec: KindSpec,
  options: ExtractOptions,
): AsyncIterable<Extracted> {
  const where = scraped.id ?? scraped.name ?? scraped.source
  let bodies: unknown[]
  try {
    bodies = parseBody(scraped.config, scraped.format ?? spec.format ?? 'json').flatMap((body) => split(body, spec))
  } catch (error) {
    yield { error: { message: wordsOf(error), item: where } }
    return
  }
  if (bodies.length > mostItems) {
    yield { error: { message: `the document holds ${bodies.length} items; ${mostItems} were taken`, item: where } }
    bodies.length = mostItems
  }
  for (const [index, body] of bodies.entries()) {
    const place = bodies.length > 1 ? `${where ?? 'document'}[${index}]` : where
    let made: unknown[]
    try {
      made = hasScript(spec.transform) ? await transformed(scraped, spec, body) : [body]
    } catch (error) {
      yield { error: { message: `transform: ${wordsOf(error)}`, item: place } }
      continue
    }
    for (const [part, one] of made.entries()) {
      const remarks: string[] = []
      const shown = made.length > 1 ? `${place ?? 'document'}[${part}]` : place
      let name = shown
      try {
        const item = await itemOf(
          scraped,
          spec,
          one,
          options,
          (message) => remarks.push(message),
          (id) => (name = id),
        )
        yield { item }
      } catch (error) {
        yield { error: { message: wordsOf(error), item: name } }
      }
      for (const message of remarks) yield { error: { message, item: name, partial: false } }
    }
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 2000)

/** The elements that `items` finds; a document that is a list is a list of items anyway. */
function split(body: unknown, spec: KindSpec): unknown[] {
  const parts = spec.items ? nodesAt(spec.items, body).map(({ value }) => value) : [body]
  return hasScript(spec.transform) && !spec.items
    ? parts
    : parts.flatMap((part) => (Array.isArray(part) ? (part as unknown[]) : [part]))
}

async function transformed(scraped: ScrapedItem, spec: KindSpec, body: unknown): Promise<unknown[]> {
  const config = canonical(body)
  const labels = { ...spec.labels, ...scraped.labels }
  const env = environment({ ...scraped, labels, config }, config)
  return runScript(spec.transform!, { config, result: env })
}

async function itemOf(
  scraped: ScrapedItem,
  spec: KindSpec,
  body: unknown,
  { full }: ExtractOptions,
  remark: (message: string) => void,
  named: (id: string) => void,
): Promise<CatalogItem> {
  const opened = full ? unwrapFull(body) : { config: body }
  const config = documentOf(opened.config)
  // In full mode paths may be written from the document or from what holds it.
  const field = (text: string | undefined) => fieldText(text, config) ?? (full ? fieldText(text, body) : undefined)
  const id = field(spec.id) ?? scraped.id
  if (id) named(id)
  const type = field(spec.type) ?? scraped.type
  const labels: Record<string, string> = { ...spec.labels, ...scraped.labels }
  const tags = { ...scraped.tags, ...tagsOf(spec, config, labels) }
  for (const [name, value] of Object.entries(tags)) labels[name] ??= value
  const deletedAt = firstTime(spec.deleteFields, config, spec.timestampFormat)
  const draft = {
    ...scraped,
    id: undefined,
    config,
    externalIds: id ? [id, ...(scraped.aliases ?? [])] : [],
    type,
    configClass: field(spec.class) ?? scraped.configClass,
    name: field(spec.name) ?? scraped.name,
    description: field(spec.description) ?? scraped.description,
    status: field(spec.status) ?? scraped.status,
    health: field(spec.health) ?? scraped.health,
    icon: spec.icon ?? scraped.icon,
    labels,
    tags,
    createdAt: firstTime(spec.createFields, config, spec.timestampFormat) ?? scraped.createdAt,
    deletedAt: deletedAt ?? scraped.deletedAt,
    deleteReason: deletedAt ? 'FROM_DELETE_FIELD' : (scraped.deleteReason ?? 'FROM_ATTRIBUTE'),
    costs: opened.costs ?? scraped.costs,
    changes: [...(scraped.changes ?? []), ...(opened.changes ?? [])],
    analyses: [...(scraped.analyses ?? []), ...(opened.analyses ?? [])],
    isShared: scraped.shared,
    relationships: (scraped.relationships ?? []).map(({ to, relation = '', parent = false }) => ({
      to,
      relation,
      parent,
    })),
    properties: scraped.properties,
  }
  const env = environment(draft, config)
  draft.properties = await propertiesOf(spec, scraped.properties, env)
  exclude(config, spec.transform?.exclude, type ?? '')
  if (!draft.status && !draft.health) draft.health = 'unknown'
  const selectors = await selectorsOf(spec.transform?.relationship, env, labels)
  await mask(config, spec.transform?.mask, env)
  return finishItem({ ...draft, selectors, isCanonical: true }, remark)
}

/** A copy that may be changed; a document is an object, whatever the source calls one. */
function documentOf(body: unknown): Record<string, unknown> {
  const config = canonical(body)
  if (typeof config === 'object' && config !== null && !Array.isArray(config)) return config
  return config === null ? {} : { content: config }
}

/** What expressions see: every field of the item by its stored name. */
export function environment(
  item: Omit<Partial<ScrapedItem>, 'id'> & { externalIds?: string[]; id?: string },
  config: unknown,
): Env {
  return {
    id: item.externalIds?.[0] ?? item.id ?? '',
    external_id: item.externalIds ?? (item.id ? [item.id, ...(item.aliases ?? [])] : []),
    aliases: item.aliases ?? [],
    name: item.name ?? item.externalIds?.[0] ?? item.id ?? '',
    type: item.type ?? '',
    config_type: item.type ?? '',
    config_class: item.configClass ?? item.type ?? '',
    description: item.description ?? '',
    status: item.status ?? '',
    health: item.health ?? '',
    source: item.source ?? '',
    icon: item.icon ?? '',
    labels: item.labels ?? {},
    tags: item.tags ?? {},
    properties: item.properties ?? [],
    created_at: item.createdAt?.toISOString() ?? null,
    deleted_at: item.deletedAt?.toISOString() ?? null,
    config,
  }
}

function tagsOf(spec: KindSpec, config: unknown, labels: Record<string, string>): Record<string, string> {
  const tags: Record<string, string> = {}
  for (const { name, value, label, jsonpath } of spec.tags ?? []) {
    const found = value ?? (label ? labels[label] : jsonpath ? asText(nodesAt(jsonpath, config)[0]?.value) : undefined)
    if (found !== undefined && found !== '') tags[name] = found
  }
  return tags
}

const expressions = sharedExpressions()

async function propertiesOf(spec: KindSpec, own: ItemProperty[] | undefined, env: Env): Promise<ItemProperty[]> {
  const made = [...(own ?? [])]
  const fill = (text: string) => templateText(expressions, text, env)
  for (const { filter, ...rule } of spec.properties ?? []) {
    if (filter && !(await applies(filter, env))) continue
    const property: ItemProperty = { ...rule } as ItemProperty
    if (typeof rule.text === 'string') property.text = await fill(rule.text)
    if (typeof rule.value === 'string') {
      const number = Number(await fill(rule.value))
      if (Number.isFinite(number)) property.value = number
      else delete property.value
    }
    if (rule.links) {
      property.links = await Promise.all(
        rule.links.map(async (link) => ({
          ...link,
          ...(link.url && { url: await fill(link.url) }),
          ...(link.text && { text: await fill(link.text) }),
          ...(link.label && { label: await fill(link.label) }),
        })),
      )
    }
    made.push(property)
  }
  return made
}

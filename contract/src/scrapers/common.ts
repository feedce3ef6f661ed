import { z } from 'zod'
import { EnvVar, SecretText } from '../checks/common.ts'

export { EnvVar, SecretText }

/** Where a value of a lookup comes from: written down, a label of the item, or a CEL expression over it. */
export const Lookup = z
  .union([
    z.string(),
    z.strictObject({ value: z.string().optional(), label: z.string().optional(), expr: z.string().optional() }),
  ])
  .describe('A text, a label of the item, or a CEL expression over it')
export type Lookup = z.infer<typeof Lookup>

const place = (what: string) => z.string().optional().describe(`${what}: a text, or a JSONPath that begins with $ or @`)

export const RelationshipRule = z.strictObject({
  filter: z.string().optional().describe('CEL; the rule applies to items for which it is true'),
  expr: z
    .string()
    .optional()
    .describe('CEL that gives a list of selectors {id, external_id, name, namespace, type, agent, scope, labels}'),
  id: Lookup.optional(),
  external_id: Lookup.optional(),
  name: Lookup.optional(),
  namespace: Lookup.optional(),
  type: Lookup.optional(),
  agent: Lookup.optional(),
  scope: Lookup.optional().describe('A scraper id, or all; items of the same scraper unless given'),
  labels: z.record(z.string(), z.string()).optional(),
  relation: z.string().optional().describe('What the relationship is called'),
  parent: z.boolean().optional().describe('The items found are above this one instead of below it'),
})
export type RelationshipRule = z.infer<typeof RelationshipRule>

export const ChangeMapping = z.strictObject({
  filter: z.string().describe('CEL over change and patch'),
  type: z.string().optional().describe('Change type instead of the given one'),
  severity: z.string().optional(),
  action: z.enum(['delete', 'ignore']).optional(),
  summary: z.string().optional().describe('Go template'),
})

export const MaskRule = z.strictObject({
  selector: z.string().describe('CEL; the rule applies to items for which it is true'),
  jsonpath: z.string().describe('What is masked'),
  value: z.string().describe('What stands there instead; md5sum stores the md5 of the old value'),
})

export const Transform = z
  .strictObject({
    gotemplate: z.string().optional().describe('Go template that gives a JSON list'),
    jsonpath: z.string().optional().describe('JSONPath that gives a list'),
    expr: z.string().optional().describe('CEL that gives a list'),
    javascript: z.string().optional().describe('JavaScript, run in a sandbox, that gives a list'),
    exclude: z
      .array(z.strictObject({ jsonpath: z.string(), types: z.array(z.string()).optional() }))
      .optional()
      .describe('Parts of the document that are not stored'),
    mask: z.array(MaskRule).optional().describe('Values that are not stored as they are'),
    relationship: z.array(RelationshipRule).optional().describe('Which other items belong to an item'),
    changes: z
      .strictObject({
        mapping: z.array(ChangeMapping).optional(),
        exclude: z.array(z.string()).optional().describe('CEL; changes for which it is true are dropped'),
      })
      .optional(),
  })
  .describe('What becomes of a document before it is stored')

const Link = z.looseObject({
  url: z.string().optional(),
  text: z.string().optional(),
  label: z.string().optional(),
  icon: z.string().optional(),
})
export const PropertyRule = z
  .looseObject({
    name: z.string(),
    filter: z.string().optional().describe('CEL; shown for items for which it is true'),
    text: z.string().optional().describe('Templated'),
    value: z.union([z.number(), z.string()]).optional(),
    links: z.array(Link).optional(),
  })
  .describe('A property shown beside the item')

/** Fields of every kind; how items are read out of what the kind brings. */
export const extraction = {
  name: place('Name of the item, its id unless given'),
  id: place('Id of the item in its source'),
  type: place('Type of the item, Provider::Kind'),
  class: place('Class of the item, its type unless given'),
  description: place('Description'),
  status: place('Status'),
  health: place('Health: healthy, unhealthy, warning or unknown'),
  items: z.string().optional().describe('JSONPath that splits one document into many items'),
  format: z.string().optional().describe('json, yaml or properties; anything else is kept as text'),
  icon: z.string().optional().describe('Icon of the items'),
  timestampFormat: z
    .string()
    .optional()
    .describe('Layout of times in createFields and deleteFields; RFC3339 unless given'),
  createFields: z
    .array(z.string())
    .optional()
    .describe('JSONPaths of the time of creation; the first that holds one wins'),
  deleteFields: z.array(z.string()).optional().describe('JSONPaths of the time of deletion'),
  labels: z.record(z.string(), z.string()).optional().describe('Labels for items that do not have them'),
  tags: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        value: z.string().optional(),
        label: z.string().optional(),
        jsonpath: z.string().optional(),
      }),
    )
    .max(5, 'an item has at most 5 tags')
    .refine((tags) => new Set(tags.map((tag) => tag.name)).size === tags.length, 'two tags have the same name')
    .optional()
    .describe('At most 5 tags, each from a text, a label or a JSONPath'),
  properties: z.array(PropertyRule).optional(),
  transform: Transform.optional(),
}
export type Extraction = z.infer<z.ZodObject<typeof extraction>>

export const connected = {
  connection: z.string().optional().describe('connection://namespace/name, an id, or a url'),
}

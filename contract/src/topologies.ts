import { z } from 'zod'
import { CanarySpec } from './checks/canary-spec.ts'
import { ScheduleText, StringMap } from './documents.ts'

/** A selector of other resources; its words are those of the resource search. */
const Selector = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  types: z.array(z.string()).optional(),
  labelSelector: z.string().optional(),
  fieldSelector: z.string().optional(),
  tagSelector: z.string().optional(),
})

const Link = z.looseObject({ type: z.string().optional(), url: z.string().optional(), text: z.string().optional() })

const Property = z.looseObject({
  name: z.string().optional(),
  label: z.string().optional(),
  tooltip: z.string().optional(),
  icon: z.string().optional(),
  text: z.string().optional(),
  order: z.number().optional(),
  headline: z.boolean().optional(),
  type: z.string().optional().describe('currency, url, badge, hidden, text or age'),
  color: z.string().optional(),
  unit: z.string().optional().describe('bytes, millicores, milliseconds, percent, or any word'),
  value: z.number().optional(),
  max: z.number().optional(),
  min: z.number().optional(),
  links: z.array(Link).optional(),
  lookup: CanarySpec.optional(),
  configLookup: z
    .looseObject({
      id: z.string().optional(),
      config: Selector.optional(),
      field: z.string().optional(),
      display: z.looseObject({}).optional(),
    })
    .optional(),
})

const Check = z.looseObject({ selector: Selector.optional(), inline: CanarySpec.optional() })
const Relationship = z.looseObject({ type: z.string().optional(), ref: z.string().optional() })
const Log = z.looseObject({ name: z.string().optional(), type: z.string().optional(), labels: StringMap.optional() })

const described = {
  name: z.string().optional(),
  namespace: z.string().optional(),
  type: z.string().optional(),
  icon: z.string().optional(),
  tooltip: z.string().optional(),
  owner: z.string().optional(),
  order: z.number().optional(),
  labels: StringMap.optional(),
  hidden: z.boolean().optional(),
  lifecycle: z.string().optional(),
  externalID: z.string().optional(),
  statusExpr: z.string().optional(),
  properties: z.array(Property).optional(),
  configs: z.array(Selector).optional(),
  checks: z.array(Check).optional(),
  selectors: z.array(Selector).optional(),
  relationships: z.array(Relationship).optional(),
}

const Component: z.ZodType = z.looseObject({
  ...described,
  id: z.unknown().optional().describe('A template'),
  lookup: CanarySpec.optional().describe('Checks whose results become components'),
  logs: z.array(Log).optional(),
  parentLookup: z.looseObject({}).optional(),
  forEach: z.looseObject({ ...described, components: z.array(z.looseObject({})).optional() }).optional(),
  components: z
    .array(z.lazy(() => Component))
    .optional()
    .describe('Fixed children'),
})

/** What a topology holds: a tree of components, each fixed or looked up. */
export const TopologySpec = z.looseObject({
  type: z.string().optional(),
  id: z.unknown().optional().describe('A template'),
  schedule: ScheduleText.optional().describe('When it runs: @every 10m unless given'),
  icon: z.string().optional(),
  text: z.string().optional(),
  label: z.string().optional(),
  tooltip: z.string().optional(),
  owner: z.string().optional(),
  statusExpr: z.string().optional(),
  components: z.array(Component).optional(),
  properties: z.array(Property).optional(),
  configs: z.array(Selector).optional(),
  groupBy: z.looseObject({ tag: z.string().optional(), selector: z.unknown().optional() }).optional(),
  push: z.looseObject({}).optional().describe('Where every root is posted after a run'),
})

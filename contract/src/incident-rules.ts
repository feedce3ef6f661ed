import { z } from 'zod'
import { DurationText } from './documents.ts'

const Selector = z.looseObject({
  name: z.string().optional(),
  namespace: z.string().optional(),
  types: z.array(z.string()).optional(),
})
const After = z.looseObject({ timeout: DurationText.optional() })
const words = z.array(z.string())

/** What a rule holds: which components in which states open an incident, and what it is like. */
export const IncidentRuleSpec = z.looseObject({
  name: z.string().optional(),
  components: z.array(Selector).optional().describe('Components the rule looks at'),
  template: z
    .looseObject({
      title: z.string().optional(),
      description: z.string().optional(),
      type: z.string().optional(),
      status: z.string().optional(),
      severity: z.union([z.string(), z.number()]).optional(),
      created_by: z.uuid('must be the id of a person').nullish(),
      commander_id: z.uuid('must be the id of a person').nullish(),
      communicator_id: z.uuid('must be the id of a person').nullish(),
    })
    .optional(),
  filter: z
    .looseObject({
      status: words.optional(),
      severity: words.optional(),
      category: words.optional(),
      age: DurationText.optional(),
    })
    .optional(),
  autoAssignOwner: z.boolean().optional(),
  priority: z.number().optional(),
  breakOnMatch: z.boolean().optional().describe('No further rule looks at the component'),
  hoursOfOperation: z
    .array(z.looseObject({ start: z.string(), end: z.string(), negate: z.boolean().optional() }))
    .optional(),
  autoClose: After.optional(),
  autoResolve: After.optional(),
  responders: z.record(z.string(), z.unknown()).optional(),
})

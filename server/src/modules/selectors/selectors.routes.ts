import {
  type FoundResource,
  resourceKinds,
  type ResourceKind,
  ResourceSearch,
  ResourceSearchAnswer,
} from '@quarterdeck/contract/selectors'
import { badRequest } from '../../platform/errors.ts'
import { read, type Route, route } from '../../platform/http/route.ts'
import { SelectorError } from '../../platform/selectors/requirements.ts'
import { readSelector } from '../../platform/selectors/selector.ts'
import { resourcesMeantBy } from './selectors.sql.ts'

export const selectorRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/resources/search',
    access: read('database'),
    summary: 'Finds the catalog items, checks and components that any of the selectors means',
    body: ResourceSearch,
    output: ResourceSearchAnswer,
    async handle({ ctx, body }) {
      const answer: Partial<Record<ResourceKind, FoundResource[]>> = {}
      for (const kind of resourceKinds) {
        const selectors = body[kind]
        if (!selectors || selectors.length === 0) continue
        const found = await resourcesMeantBy(ctx.db, kind, selectors.map(readable))
        // Kinds without a find are left out, as clients of this call expect.
        if (found.length > 0) answer[kind] = found
      }
      return answer
    },
  }),
]

function readable(selector: Parameters<typeof readSelector>[0]): ReturnType<typeof readSelector> {
  try {
    return readSelector(selector)
  } catch (error) {
    throw error instanceof SelectorError ? badRequest(error.message) : error
  }
}

import { canUseRelation } from '@quarterdeck/contract/relations'
import { SearchAnswer, searchKinds, SearchQuery, type SearchKind } from '@quarterdeck/contract/search'
import { badRequest } from '../../platform/errors.ts'
import { type Route, route, signedIn } from '../../platform/http/route.ts'
import { findByText } from './search.sql.ts'

/** Who may read the relation may find its rows. */
const relationOf: Record<SearchKind, string> = {
  check: 'checks',
  config: 'configs',
  component: 'components',
  incident: 'incidents',
  playbook: 'playbooks',
}

export function searchRoutes(): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/search',
      access: signedIn,
      summary: 'Finds checks, catalog items, components, incidents and playbooks by name or type',
      query: SearchQuery,
      output: SearchAnswer,
      async handle({ ctx, user, query }) {
        if (query.q.includes('\0')) throw badRequest('A search text cannot hold a null character')
        const wanted = searchKinds.filter((kind) => canUseRelation(user.roles, 'read', relationOf[kind]))
        return { results: await findByText(ctx.db, wanted, query.q, Math.min(query.limit, 8)) } satisfies SearchAnswer
      },
    }),
  ]
}

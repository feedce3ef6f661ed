import type { Context } from '../../../context.ts'
import type { FlowRecord } from './flow.ts'

/**
 * A value that a method makes once per flow and keeps for the answer, such as the key of a new authenticator. Two
 * requests at once get the same one.
 */
export async function flowSecret(ctx: Context, flow: FlowRecord, name: string, make: () => string): Promise<string> {
  const known = flow.state.secret?.[name]
  if (typeof known === 'string') return known
  const { value } = await ctx.db.one<{ value: string }>(
    `update identity_flows
     set state = jsonb_set(state, '{secret}', jsonb_build_object($2::text, $3::text) || coalesce(state -> 'secret', '{}'))
     where id = $1 returning state -> 'secret' ->> $2 as value`,
    [flow.id, name, make()],
  )
  flow.state.secret = { ...flow.state.secret, [name]: value }
  return value
}

import { audit } from '../audit.ts'
import type { Sql } from '../../db/db.ts'
import { readPrincipal } from '../directory.ts'
import { markVerified } from '../identity.sql.ts'
import { giveSession, openSession } from '../sessions.ts'
import { storeFlow } from './engine.ts'
import type { FlowCall } from './flow.ts'
import { freshMinutes } from './fresh-session.ts'
import { messages } from './messages.ts'
import { settings } from './settings.flow.ts'

interface Proof {
  identityId: string
  method: 'link_recovery' | 'code_recovery'
  returnTo?: string
}

/** Signs in whoever proved to own the address, and leads to the form that sets the password. Answers where that is. */
export async function recovered(call: FlowCall, proof: Proof, useUp: (sql: Sql) => Promise<void>): Promise<string> {
  const { ctx, request, reply } = call
  const { identityId, method, returnTo } = proof
  const { token } = await ctx.db.tx(async (sql) => {
    await useUp(sql)
    const opened = await openSession(ctx, sql, { identityId, method, request })
    const person = await readPrincipal(sql, identityId)
    if (person?.email) await markVerified(sql, identityId, person.email, ctx.clock.now())
    await audit(sql, {
      action: 'recovered',
      actor: person ?? null,
      target: { type: 'identity', id: identityId, name: person?.email },
      details: { method, session: opened.row.id },
      request,
    })
    return opened
  })
  await giveSession(ctx, { request, reply, token, identityId })
  const flow = await storeFlow(call, settings, {
    step: 'show_form',
    identity_id: identityId,
    messages: [messages.recovered(freshMinutes)],
    return_to: returnTo ?? '/',
    secret: { recovered: true },
  })
  return `${settings.page}?flow=${flow.id}`
}

import type { Context } from '../../../context.ts'
import { isUuid } from '../../ids.ts'
import type { Sql } from '../../db/db.ts'
import { sameText } from '../csrf.ts'
import { readPrincipal } from '../directory.ts'
import { flowById, hasPassword } from '../identity.sql.ts'
import { linkDigest } from '../links.ts'
import { canSendMail } from '../mail.ts'
import { storeFlow } from './engine.ts'
import { alreadySignedIn } from './flow-errors.ts'
import type { FlowCall, FlowKind, FlowState } from './flow.ts'
import { messages } from './messages.ts'
import { codeRecovery, linkRecovery } from './methods/code-recovery.ts'
import { recovered } from './recovered.ts'
import { useUp } from './sign-in.ts'

/** Passwords of a file are not ours to set, and without mail nobody can prove an address. */
const canRecover = (ctx: Context) => ctx.config.QUARTERDECK_AUTH === 'builtin' && canSendMail(ctx)

/** Getting back in without the password. */
export const recovery: FlowKind = {
  type: 'recovery',
  page: '/recovery',
  lifetimeMs: 3_600_000,
  ids: { expired: 4060005, noMethod: 4060001 },
  methods: ({ ctx }) => (canRecover(ctx) ? [codeRecovery, linkRecovery] : []),

  begin(call, _query, returnTo) {
    if (call.session) throw alreadySignedIn(returnTo ?? '/')
    return { messages: canRecover(call.ctx) ? [] : [messages.noMail] }
  },

  guard(call) {
    if (call.session) throw alreadySignedIn('/')
  },
}

/** Opens a link. Answers the page to go on at: the password form, or a new recovery form that says what is wrong. */
export async function openRecoveryLink(call: FlowCall, id: string | null, token: string | null): Promise<string> {
  const { ctx } = call
  const flow = isUuid(id) ? await flowById<FlowState>(ctx.db, 'recovery', id) : undefined
  const { digest, purpose } = flow?.state.secret ?? {}
  const identityId = flow?.state.identity_id
  const isGood =
    flow &&
    identityId &&
    typeof digest === 'string' &&
    sameText(linkDigest(token ?? ''), digest) &&
    !flow.state.completed &&
    flow.expires_at > ctx.clock.now() &&
    (await readPrincipal(ctx.db, identityId)) !== undefined &&
    !(purpose === 'invite' && (await hasPassword(ctx.db, identityId)))
  if (!isGood) {
    const next = await storeFlow(call, recovery, { messages: [messages.linkUsed] })
    return `${recovery.page}?flow=${next.id}`
  }
  const useLink = (sql: Sql) => (purpose === 'invite' ? Promise.resolve() : useUp(sql, flow))
  return recovered(call, { identityId, method: 'link_recovery' }, useLink)
}

import { updateFlow } from '../identity.sql.ts'
import { storeFlow } from './engine.ts'
import type { FlowCall, FlowRecord } from './flow.ts'
import { newCode } from './mailed-code.ts'
import { messages } from './messages.ts'
import { verificationMail } from './methods/code-verification.ts'
import { awaitingCode } from './methods/mailed-code-method.ts'
import type { Registration } from './prove-address.ts'
import { verification } from './verification.flow.ts'

interface Wanted {
  email: string
  returnTo: string
  /** Whose address it is, or what comes into being when it is proven, which is bound to the form that began it. */
  more: { identityId: string } | { registration: Registration; bound: true }
}

/** A verification flow of this browser that waits for the code already; whoever starts it sends the mail. */
export async function startVerification(call: FlowCall, { email, returnTo, more }: Wanted) {
  const next: FlowRecord = await storeFlow(call, verification, { return_to: returnTo })
  const code = newCode()
  const page = `${verification.page}?flow=${next.id}`
  const url = `${call.origin}${page}`
  const { mail, secret } = verificationMail(call, next.id, email, code, url)
  const sent = messages.verificationSent
  const waiting = awaitingCode(call, next.id, { email, code, sent, more: { ...secret, ...more } })
  await updateFlow(call.ctx.db, next.id, { ...next.state, ...waiting })
  return { id: next.id, page, url, mail }
}

import { updateFlow } from '../identity.sql.ts'
import { storeFlow } from './engine.ts'
import type { FlowCall, FlowRecord } from './flow.ts'
import { newCode } from './mailed-code.ts'
import { awaitingCode } from './methods/code-verification.ts'
import { verification } from './verification.flow.ts'

interface Wanted {
  email: string
  returnTo: string
  /** Whose address it is, or what comes into being when it is proven. */
  more: { identityId: string } | { registration: unknown }
}

/** A verification flow of this browser that waits for the code already; whoever starts it sends the code. */
export async function startVerification(call: FlowCall, { email, returnTo, more }: Wanted) {
  const next: FlowRecord = await storeFlow(call, verification, { return_to: returnTo })
  const code = newCode()
  await updateFlow(call.ctx.db, next.id, { ...next.state, ...awaitingCode(call.ctx, next.id, email, code, more) })
  const page = `${verification.page}?flow=${next.id}`
  return { id: next.id, code, page, url: `${call.origin}${page}` }
}

import type { Call } from '../../http/route.ts'
import { TooManyAttempts } from '../attempts.ts'
import { forwardToKratos } from '../modes/kratos-forward.ts'
import { FlowError } from './flow-errors.ts'
import type { FlowCall, FlowKind } from './flow.ts'
import { flowCall, respondError } from './respond.ts'

type Incoming = Pick<Call<undefined, undefined, undefined>, 'ctx' | 'request' | 'reply'>

/** A visit that a browser without script may make, which ends on a page; everything else is data. */
export const visit = (work: (call: FlowCall) => unknown, kind?: FlowKind) => handler(work, kind, false)
export const data = (work: (call: FlowCall) => unknown, kind?: FlowKind) => handler(work, kind, true)

/** One handler of the identity API: ours, or passed on when Kratos is the one who signs people in. */
function handler(work: (call: FlowCall) => unknown, kind: FlowKind | undefined, isData: boolean) {
  return async ({ ctx, request, reply }: Incoming): Promise<unknown> => {
    if (ctx.config.QUARTERDECK_AUTH === 'kratos') {
      return forwardToKratos(ctx, request, reply).catch((error: unknown) => {
        if (!(error instanceof TooManyAttempts)) throw error
        return reply.code(429).header('retry-after', String(error.retryAfter)).send(tooMany(error).body())
      })
    }
    if (ctx.config.QUARTERDECK_AUTH === 'clerk') {
      const elsewhere = new FlowError(404, undefined, 'People sign in at the hosted identity provider.')
      return reply.code(404).send(elsewhere.body())
    }
    const call = await flowCall(ctx, request, reply)
    if (isData) call.json = true
    try {
      return await work(call)
    } catch (error) {
      if (error instanceof FlowError) return respondError(call, error, kind)
      if (!(error instanceof TooManyAttempts)) throw error
      void reply.header('retry-after', String(error.retryAfter))
      return respondError(call, tooMany(error), kind)
    }
  }
}

const tooMany = (error: TooManyAttempts) => new FlowError(429, 'rate_limited', error.message)

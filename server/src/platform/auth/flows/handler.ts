import type { Call } from '../../http/route.ts'
import { TooManyAttempts } from '../attempts.ts'
import { forwardToKratos } from '../modes/kratos.ts'
import { FlowError } from './flow-errors.ts'
import type { FlowCall, FlowKind } from './flow.ts'
import { flowCall, respondError } from './respond.ts'

type Incoming = Pick<Call<undefined, undefined, undefined>, 'ctx' | 'request' | 'reply'>

/** One handler of the identity API: ours, or passed on when Kratos is the one who signs people in. */
export function identityHandler(work: (call: FlowCall) => unknown, kind?: FlowKind) {
  return async ({ ctx, request, reply }: Incoming): Promise<unknown> => {
    if (ctx.config.QUARTERDECK_AUTH === 'kratos') return forwardToKratos(ctx, request, reply)
    const call = await flowCall(ctx, request, reply)
    try {
      return await work(call)
    } catch (error) {
      if (error instanceof FlowError) return respondError(call, error, kind)
      if (!(error instanceof TooManyAttempts)) throw error
      void reply.header('retry-after', String(error.retryAfter))
      return respondError(call, new FlowError(429, 'rate_limited', error.message), kind)
    }
  }
}

import { canSendMail } from '../mail.ts'
import { FlowError } from './flow-errors.ts'
import type { FlowCall, FlowKind } from './flow.ts'
import { codeVerification } from './methods/code-verification.ts'

const isOffered = ({ ctx }: FlowCall): boolean => ctx.config.QUARTERDECK_AUTH === 'builtin' && canSendMail(ctx)

/** Proving that an address is one's own. */
export const verification: FlowKind = {
  type: 'verification',
  page: '/verification',
  lifetimeMs: 3_600_000,
  ids: { expired: 4070005, noMethod: 4070002 },
  methods: () => [codeVerification],

  begin(call) {
    if (isOffered(call)) return {}
    throw new FlowError(
      400,
      'self_service_verification_disabled',
      'This server verifies no addresses: it sends no mail.',
    )
  },

  guard: () => undefined,
}

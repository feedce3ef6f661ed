import { isUuid } from '../../ids.ts'
import { csrfDigest, csrfSecret, sameText } from '../csrf.ts'
import { flowById } from '../identity.sql.ts'
import { linkDigest } from '../links.ts'
import { canSendMail } from '../mail.ts'
import { storeFlow } from './engine.ts'
import { FlowError } from './flow-errors.ts'
import type { FlowCall, FlowKind, FlowRecord, FlowState } from './flow.ts'
import { messages } from './messages.ts'
import { codeVerification, linkVerification } from './methods/code-verification.ts'
import { passed, proveAddress } from './prove-address.ts'

const isOffered = ({ ctx }: FlowCall): boolean => ctx.config.QUARTERDECK_AUTH === 'builtin' && canSendMail(ctx)

/** Proving that an address is one's own. */
export const verification: FlowKind = {
  type: 'verification',
  page: '/verification',
  lifetimeMs: 3_600_000,
  ids: { expired: 4070005, noMethod: 4070002 },
  methods: () => [codeVerification, linkVerification],

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

/** Opens the link of a mail: done at once in the browser that asked for it, a button in any other. Answers the page. */
export async function openVerificationLink(call: FlowCall, id: string | null, token: string | null): Promise<string> {
  const flow = isUuid(id) ? await flowById<FlowState>(call.ctx.db, 'verification', id) : undefined
  const next = await storeFlow(call, verification, await stateAfter(call, flow, token ?? ''))
  return `${verification.page}?flow=${next.id}`
}

async function stateAfter(call: FlowCall, flow: FlowRecord | undefined, token: string): Promise<Partial<FlowState>> {
  const { link, email, registration } = flow?.state.secret ?? {}
  const isGood =
    flow &&
    typeof link === 'string' &&
    sameText(linkDigest(token), link) &&
    !flow.state.completed &&
    flow.expires_at > call.ctx.clock.now()
  const returnTo = flow?.state.return_to ? { return_to: flow.state.return_to } : {}
  if (isGood && !isOwn(call, flow)) {
    const words = registration ? messages.confirmRegistration : messages.confirmAddress
    return {
      ...returnTo,
      step: 'sent_email',
      active: 'link',
      messages: [words(String(email))],
      secret: { of: flow.id, bound: true },
    }
  }
  if (isGood && (await proveAddress(call, flow))) return { ...returnTo, ...passed }
  return { messages: [messages.verificationLinkUsed] }
}

function isOwn({ request }: FlowCall, flow: FlowRecord): boolean {
  const secret = csrfSecret(request)
  return secret !== undefined && flow.state.csrf !== undefined && sameText(csrfDigest(secret), flow.state.csrf)
}

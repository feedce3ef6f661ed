import { randomBytes } from 'node:crypto'
import { identityByEmail } from '../../identity.sql.ts'
import { linkDigest } from '../../links.ts'
import type { FlowCall, FlowMethod } from '../flow.ts'
import { codeMinutes } from '../mailed-code.ts'
import { labels, messages } from '../messages.ts'
import { anchor, submit } from '../nodes.ts'
import { passed, proveAddress, proveByLink } from '../prove-address.ts'
import { mailedCodeMethod } from './mailed-code-method.ts'

/** A mail with a code and a link; the flow keeps digests of both. `page`: the form that takes the code. */
export function verificationMail({ base }: FlowCall, flowId: string, to: string, code: string, page?: string) {
  const token = randomBytes(32).toString('base64url')
  const link = `${base}/self-service/verification?flow=${flowId}&token=${token}`
  const text = [
    `Your verification code is ${code}. It is valid for ${codeMinutes} minutes.`,
    ...(page ? [`Enter it at ${page}`] : []),
    `Or open this link within an hour:\n\n${link}`,
    'If you did not ask for it, nothing needs to be done.\n',
  ].join('\n\n')
  return { mail: { to, subject: 'Please verify your address', text }, secret: { link: linkDigest(token) } }
}

const byCode = mailedCodeMethod({
  label: labels.verificationCode,
  sent: messages.verificationSent,
  wrong: messages.wrongVerificationCode,
  tooOften: messages.verificationFailed,
  async ownerOf({ ctx }, { email, tooOften }) {
    const identity = tooOften ? undefined : await identityByEmail(ctx.db, email)
    return identity?.verified_at === null ? identity.id : undefined
  },
  compose: (call, flowId, email, code) => verificationMail(call, flowId, email, code),
  async proven(call, flow, wrong) {
    if (!(await proveAddress(call, flow))) throw wrong()
    flow.state = { ...flow.state, ...passed, completed: true }
    return { kind: 'shown' }
  },
})

/** Proving an address with a code that was mailed to it. */
export const codeVerification: FlowMethod = {
  ...byCode,
  nodes: (call, flow) =>
    flow.state.step === 'passed_challenge'
      ? [anchor('code', 'continue', flow.state.return_to ?? '/', labels.proceed)]
      : byCode.nodes(call, flow),
}

/**
 * Proving an address with the link of the same mail. Opened in another browser than the one that asked, it only shows a
 * button: a scanner that follows links proves nothing.
 */
export const linkVerification: FlowMethod = {
  name: 'link',
  nodes: (_call, { state }) =>
    state.step === 'sent_email' && state.active === 'link' ? [submit('link', labels.verifyAddress)] : [],
  submit: (call, flow, given) =>
    typeof flow.state.secret?.of === 'string' ? proveByLink(call, flow) : byCode.submit(call, flow, given),
}

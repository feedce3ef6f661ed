import { audit } from '../../audit.ts'
import { readPrincipal } from '../../directory.ts'
import { identityByEmail } from '../../identity.sql.ts'
import { makeLink } from '../../links.ts'
import { deliverMail } from '../../mail.ts'
import type { FlowCall, FlowInput, FlowMethod, FlowRecord, Outcome } from '../flow.ts'
import { codeMinutes } from '../mailed-code.ts'
import { labels, messages } from '../messages.ts'
import { submit } from '../nodes.ts'
import { recovered } from '../recovered.ts'
import { useUp } from '../sign-in.ts'
import { type AskedAddress, askedAddress, mailedCodeMethod } from './mailed-code-method.ts'

const nobody = '00000000-0000-0000-0000-000000000000'

/** The account that can be recovered by this address; written down whether there is one or not. */
async function ownerOf({ ctx, request }: FlowCall, { email, tooOften }: AskedAddress, method: string) {
  const identity = tooOften ? undefined : await identityByEmail(ctx.db, email)
  const isUsable = (await readPrincipal(ctx.db, identity?.id ?? nobody)) !== undefined
  await audit(ctx.db, {
    action: 'recovery_requested',
    outcome: isUsable ? 'success' : 'failure',
    target: { type: 'identity', id: identity?.id, name: email },
    details: { method },
    request,
  })
  return isUsable ? identity?.id : undefined
}

/** Recovering an account with a code that was mailed to its address. */
export const codeRecovery: FlowMethod = mailedCodeMethod({
  label: labels.recoveryCode,
  sent: messages.codeSent,
  wrong: messages.wrongCode,
  tooOften: messages.recoveryFailed,
  ownerOf: (call, asked) => ownerOf(call, asked, 'code'),
  compose: (_call, _flowId, to, code) => ({
    mail: {
      to,
      subject: 'Your recovery code',
      text: `Your recovery code is ${code}. It is valid for ${codeMinutes} minutes.\n\nIf you did not ask for it, nothing needs to be done.\n`,
    },
  }),
  async proven(call, flow, wrong) {
    const identityId = flow.state.secret?.identityId
    if (typeof identityId !== 'string') throw wrong()
    const proof = { identityId, method: 'code_recovery' as const, returnTo: flow.state.return_to }
    return { kind: 'moved', redirect: await recovered(call, proof, (sql) => useUp(sql, flow)) }
  },
})

/** Recovering an account with a link; the form is the one of the code. */
export const linkRecovery: FlowMethod = {
  name: 'link',
  nodes: (_call, { state }) => (state.step === 'sent_email' ? [] : [submit('link', labels.mailLink)]),
  submit: sendLink,
}

async function sendLink(call: FlowCall, flow: FlowRecord, given: FlowInput): Promise<Outcome> {
  const { ctx, base } = call
  const asked = await askedAddress(call, given)
  const identityId = await ownerOf(call, asked, 'link')
  const { email } = asked
  flow.state = { ...flow.state, step: 'sent_email', active: 'link', messages: [messages.linkSent], secret: { email } }
  if (identityId) {
    void makeLink(ctx, ctx.db, { identityId, purpose: 'recovery', base })
      .then(({ link }) => deliverMail(ctx, linkMail(email, link)))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'a recovery link could not be made'))
  }
  return { kind: 'shown' }
}

const linkMail = (to: string, link: string) => ({
  to,
  subject: 'Your recovery link',
  text: `Open this link to sign in and set a new password:\n\n${link}\n\nIt works once, within an hour. If you did not ask for it, nothing needs to be done.\n`,
})

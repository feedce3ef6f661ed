import type { Context } from '../../../../context.ts'
import { deleteFactors, factorsOf, hasFactor, insertFactor, takeStep } from '../../factors.sql.ts'
import { newTotpSecret, qrCodeOf, stepOf } from '../../totp.ts'
import { FlowInvalid } from '../flow-errors.ts'
import { flowSecret } from '../flow-secret.ts'
import type { FlowMethod, FlowRecord } from '../flow.ts'
import { labels, messages } from '../messages.ts'
import { image, input, submit, text } from '../nodes.ts'
import { changeFactors, isSecondStep, showSecondFactor } from '../second-factor.ts'

interface TotpConfig {
  /** Encrypted. */
  secret: string
  /** The newest step of the clock whose code was taken; it and everything before it is used up. */
  last_step: number
}

const codeField = (label = labels.authenticatorCode) =>
  input('totp', 'totp_code', { required: true, autocomplete: 'one-time-code', maxlength: 10, label })

const wrong = (words = messages.wrongAuthenticatorCode) => new FlowInvalid([], { totp_code: { messages: [words] } })

const pendingSecret = async (ctx: Context, flow: FlowRecord) =>
  ctx.secrets.decrypt(await flowSecret(ctx, flow, 'totp', () => ctx.secrets.encrypt(newTotpSecret())))

/** Linking an authenticator app, and unlinking it. */
export const totpSettings: FlowMethod = {
  name: 'totp',
  owns: (given) => given.get('totp_unlink') === 'true' || (given.get('totp_code') ?? '') !== '',

  async nodes({ ctx, session }, flow) {
    if (!session) return []
    if (await hasFactor(ctx.db, session.identity.id, 'totp'))
      return [submit('totp', labels.unlinkAuthenticator, 'true', 'totp_unlink')]
    const secret = await pendingSecret(ctx, flow)
    return [
      image('totp', 'totp_qr', qrCodeOf(secret, session.identity.traits.email), 256, labels.qrCode),
      text('totp', 'totp_secret_key', messages.authenticatorKey(secret), labels.authenticatorKey),
      codeField(),
      submit('totp', labels.save),
    ]
  },

  async submit(call, flow, given) {
    const { ctx } = call
    if (given.get('totp_unlink') === 'true') {
      return changeFactors(call, flow, { method: 'totp', action: 'second_factor_removed' }, async (sql, id) => {
        await deleteFactors(sql, id, 'totp')
        flow.state.secret = { ...flow.state.secret, totp: undefined }
      })
    }
    const secret = await pendingSecret(ctx, flow)
    const change = { method: 'totp', action: 'second_factor_added', raises: true } as const
    return changeFactors(call, flow, change, async (sql, id) => {
      const now = ctx.clock.now()
      const step = stepOf(secret, given.get('totp_code') ?? '', now)
      // A second tab may have linked another app meanwhile; there is one per account.
      if (step === undefined || (await hasFactor(sql, id, 'totp'))) throw wrong()
      const config: TotpConfig = { secret: ctx.secrets.encrypt(secret), last_step: step }
      await insertFactor(sql, { identityId: id, type: 'totp', identifiers: [id], config, now })
      flow.state.secret = { ...flow.state.secret, totp: undefined }
    })
  },
}

/** The second step of signing in with a code of the authenticator app. */
export const totpLogin: FlowMethod = {
  name: 'totp',
  owns: (given) => (given.get('totp_code') ?? '') !== '',

  async nodes(call, flow) {
    if (!isSecondStep(call, flow) || !(await hasFactor(call.ctx.db, call.session!.identity.id, 'totp'))) return []
    return [codeField(), submit('totp', labels.useAuthenticator)]
  },

  submit: (call, flow, given) =>
    showSecondFactor(call, flow, 'totp', async (sql, id) => {
      const [factor] = await factorsOf<TotpConfig>(sql, id, 'totp')
      const { ctx } = call
      const code = given.get('totp_code') ?? ''
      if (!factor) throw wrong()
      const step = stepOf(ctx.secrets.decrypt(factor.config.secret), code, ctx.clock.now())
      if (step === undefined) throw wrong()
      if (!(await takeStep(sql, factor.id, step))) throw wrong(messages.usedAuthenticatorCode)
    }),
}

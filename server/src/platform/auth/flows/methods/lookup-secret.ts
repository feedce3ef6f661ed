import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from '../../../../context.ts'
import { deleteFactors, factorsOf, insertFactor, updateFactor } from '../../factors.sql.ts'
import { FlowInvalid } from '../flow-errors.ts'
import { demandFreshSession } from '../fresh-session.ts'
import type { FlowCall, FlowInput, FlowMethod, FlowRecord, Outcome } from '../flow.ts'
import { labels, messages } from '../messages.ts'
import { input, submit, text } from '../nodes.ts'
import { changeFactors, isSecondStep, showSecondFactor } from '../second-factor.ts'

interface Code {
  digest: string
  used_at?: string
}
interface LookupConfig {
  codes: Code[]
}

const count = 12
const letters = 'abcdefghjkmnpqrstvwxyz0123456789'

/** 60 bits, in groups that can be read aloud. */
function newCode(): string {
  const chars = [...randomBytes(count)].map((byte) => letters[byte % letters.length]).join('')
  return chars.replace(/(.{4})(?=.)/g, '$1-')
}

const digestOf = (identityId: string, code: string) =>
  createHmac('sha256', identityId)
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('base64url')

const codesOf = async (call: FlowCall): Promise<Code[] | undefined> =>
  (await factorsOf<LookupConfig>(call.ctx.db, call.session!.identity.id, 'lookup_secret'))[0]?.config.codes

function pendingCodes(ctx: Context, flow: FlowRecord): string[] | undefined {
  const kept = flow.state.secret?.codes
  return typeof kept === 'string' ? (JSON.parse(ctx.secrets.decrypt(kept)) as string[]) : undefined
}

const button = (name: string, label: (typeof labels)['makeCodes']) => submit('lookup_secret', label, 'true', name)
const pressed = (given: FlowInput, what: string) => given.get(`lookup_secret_${what}`) === 'true'
const actions = ['regenerate', 'confirm', 'reveal', 'disable']

/** Making, confirming and removing the codes for the day the other factor is lost. Only their digests are stored. */
export const lookupSettings: FlowMethod = {
  name: 'lookup_secret',
  owns: (given) => actions.some((action) => pressed(given, action)),

  async nodes(call, flow) {
    if (!call.session) return []
    const pending = pendingCodes(call.ctx, flow)
    if (pending) {
      const list = messages.backupCodes(pending.map(messages.backupCode))
      return [
        text('lookup_secret', 'lookup_secret_codes', list, labels.backupCodes),
        button('lookup_secret_confirm', labels.confirmCodes),
      ]
    }
    const codes = await codesOf(call)
    if (!codes) return [button('lookup_secret_regenerate', labels.makeCodes)]
    if (flow.state.secret?.revealed !== true)
      return [button('lookup_secret_reveal', labels.revealCodes), button('lookup_secret_disable', labels.disableCodes)]
    const shown = codes.map(({ used_at }) =>
      used_at ? messages.usedBackupCode(used_at) : messages.backupCode('••••-••••-••••'),
    )
    return [
      text('lookup_secret', 'lookup_secret_codes', messages.backupCodes(shown), messages.codesShownOnce),
      button('lookup_secret_regenerate', labels.makeCodes),
      button('lookup_secret_disable', labels.disableCodes),
    ]
  },

  submit(call, flow, given) {
    if (pressed(given, 'regenerate')) return make(call, flow)
    if (pressed(given, 'confirm')) return confirm(call, flow)
    if (pressed(given, 'reveal')) return reveal(call, flow)
    return changeFactors(
      call,
      flow,
      { method: 'lookup_secret', action: 'recovery_codes_removed' },
      async (sql, id) => void (await deleteFactors(sql, id, 'lookup_secret')),
    )
  },
}

/** Until they are confirmed the codes live in the flow, encrypted. */
async function make(call: FlowCall, flow: FlowRecord): Promise<Outcome> {
  demandFreshSession(call, flow)
  const codes = call.ctx.secrets.encrypt(JSON.stringify(Array.from({ length: count }, newCode)))
  flow.state = {
    ...flow.state,
    step: 'show_form',
    active: 'lookup_secret',
    messages: [messages.confirmCodes],
    secret: { ...flow.state.secret, codes },
  }
  return { kind: 'shown' }
}

async function reveal(call: FlowCall, flow: FlowRecord): Promise<Outcome> {
  demandFreshSession(call, flow)
  flow.state = { ...flow.state, active: 'lookup_secret', secret: { ...flow.state.secret, revealed: true } }
  return { kind: 'shown' }
}

function confirm(call: FlowCall, flow: FlowRecord): Promise<Outcome> {
  const pending = pendingCodes(call.ctx, flow)
  if (!pending) throw new FlowInvalid([messages.noMethod(4050002)])
  const change = { method: 'lookup_secret', action: 'recovery_codes_made' } as const
  return changeFactors(call, flow, change, async (sql, id) => {
    const config: LookupConfig = { codes: pending.map((code) => ({ digest: digestOf(id, code) })) }
    await deleteFactors(sql, id, 'lookup_secret')
    await insertFactor(sql, {
      identityId: id,
      type: 'lookup_secret',
      identifiers: [id],
      config,
      now: call.ctx.clock.now(),
    })
    flow.state.secret = { ...flow.state.secret, codes: undefined, revealed: false }
  })
}

/** The second step of signing in with one of the codes, each of which works once. */
export const lookupLogin: FlowMethod = {
  name: 'lookup_secret',
  owns: (given) => (given.get('lookup_secret') ?? '') !== '',

  async nodes(call, flow) {
    if (!isSecondStep(call, flow) || !(await codesOf(call))) return []
    const field = input('lookup_secret', 'lookup_secret', {
      required: true,
      autocomplete: 'off',
      maxlength: 40,
      label: labels.backupCode,
    })
    return [field, submit('lookup_secret', labels.useBackupCode)]
  },

  submit: (call, flow, given) =>
    showSecondFactor(call, flow, 'lookup_secret', async (sql, id) => {
      const wrong = (words: typeof messages.wrongBackupCode) =>
        new FlowInvalid([], { lookup_secret: { messages: [words] } })
      const digest = digestOf(id, given.get('lookup_secret') ?? '')
      const [factor] = await factorsOf<LookupConfig>(sql, id, 'lookup_secret')
      const code = factor?.config.codes.find((one) => one.digest === digest)
      if (!factor || !code) throw wrong(messages.wrongBackupCode)
      if (code.used_at) throw wrong(messages.backupCodeUsed)
      const now = call.ctx.clock.now()
      code.used_at = now.toISOString()
      await updateFactor(sql, factor.id, factor.config, now)
    }),
}

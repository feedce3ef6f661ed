import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { randomBytes } from 'node:crypto'
import { deleteFactor, type Factor, factorsOf, insertFactor, updateFactor } from '../../factors.sql.ts'
import { FlowInvalid } from '../flow-errors.ts'
import { flowSecret } from '../flow-secret.ts'
import type { FlowCall, FlowMethod, FlowRecord } from '../flow.ts'
import { labels, messages } from '../messages.ts'
import { hidden, input, script, submit } from '../nodes.ts'
import { changeFactors, isSecondStep, showSecondFactor } from '../second-factor.ts'

interface KeyConfig {
  public_key: string
  counter: number
  display_name: string
  transports: AuthenticatorTransport[]
}
type Key = Factor<KeyConfig>

const nameLimit = 100

const relyingParty = ({ origin }: FlowCall) => new URL(origin).hostname
const keysOf = (call: FlowCall) => factorsOf<KeyConfig>(call.ctx.db, call.session!.identity.id, 'webauthn')
const listed = (keys: readonly Key[]) =>
  keys.map(({ identifiers, config }) => ({ id: identifiers[0] as string, transports: config.transports }))

/** One challenge per flow; the flow works once, so the challenge does too. */
const challengeOf = async ({ ctx }: FlowCall, flow: FlowRecord) =>
  new Uint8Array(
    Buffer.from(await flowSecret(ctx, flow, 'challenge', () => randomBytes(32).toString('base64url')), 'base64url'),
  )
const challengeText = (challenge: Uint8Array) => Buffer.from(challenge).toString('base64url')

const trigger = (name: string, call: string, options: unknown, label: (typeof labels)['addKey']) =>
  input('webauthn', name, { type: 'button', value: '', label, onclick: `window.${call}(${JSON.stringify(options)})` })

const withScript = ({ base }: FlowCall) => script('webauthn', 'webauthn_script', `${base}/.well-known/ory/webauthn.js`)

const refused = () => new FlowInvalid([messages.wrongKey])

function parsed<Answer>(text: string): Answer {
  try {
    const value = JSON.parse(text) as Answer
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Whatever it was, it is no answer of a key.
  }
  throw refused()
}

/** Adding and removing security keys and biometrics. */
export const webauthnSettings: FlowMethod = {
  name: 'webauthn',
  owns: (given) => (given.get('webauthn_register') ?? '') !== '' || (given.get('webauthn_remove') ?? '') !== '',

  async nodes(call, flow) {
    const { session } = call
    if (!session) return []
    const keys = await keysOf(call)
    const { id, traits } = session.identity
    const options = await generateRegistrationOptions({
      rpName: 'Quarterdeck',
      rpID: relyingParty(call),
      userName: traits.email,
      userDisplayName: session.principal.name,
      userID: new Uint8Array(Buffer.from(id)),
      challenge: await challengeOf(call, flow),
      attestationType: 'none',
      excludeCredentials: listed(keys),
      authenticatorSelection: { userVerification: 'preferred', residentKey: 'discouraged' },
    })
    return [
      withScript(call),
      ...keys.map(({ identifiers, config, created_at }) =>
        submit(
          'webauthn',
          labels.removeKey(config.display_name, created_at),
          identifiers[0] as string,
          'webauthn_remove',
        ),
      ),
      input('webauthn', 'webauthn_register_displayname', { maxlength: nameLimit, value: '', label: labels.keyName }),
      hidden('webauthn_register', '', 'webauthn'),
      trigger('webauthn_register_trigger', 'oryWebAuthnRegistration', { publicKey: options }, labels.addKey),
    ]
  },

  async submit(call, flow, given) {
    const { ctx, origin } = call
    const removed = given.get('webauthn_remove')
    if (removed) {
      return changeFactors(call, flow, { method: 'webauthn', action: 'second_factor_removed' }, async (sql, id) => {
        if ((await deleteFactor(sql, id, 'webauthn', removed)) === 0) throw refused()
      })
    }
    const response = parsed<RegistrationResponseJSON>(given.get('webauthn_register') ?? '')
    const displayName = nameOf(given.get('webauthn_register_displayname') ?? '')
    const expectedChallenge = challengeText(await challengeOf(call, flow))
    const verified = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: relyingParty(call),
      requireUserVerification: false,
    }).catch(() => undefined)
    if (!verified?.verified) throw refused()
    const { credential } = verified.registrationInfo
    const change = {
      method: 'webauthn',
      action: 'second_factor_added',
      details: { name: displayName },
      raises: true,
    } as const
    return changeFactors(call, flow, change, async (sql, id) => {
      const config: KeyConfig = {
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        display_name: displayName,
        transports: (credential.transports ?? []) as AuthenticatorTransport[],
      }
      const now = ctx.clock.now()
      await insertFactor(sql, { identityId: id, type: 'webauthn', identifiers: [credential.id], config, now }).catch(
        (error: unknown) => {
          throw (error as { code?: string }).code === '23505' ? refused() : error
        },
      )
      // The next key needs a challenge of its own.
      flow.state.secret = { ...flow.state.secret, challenge: undefined }
    })
  },
}

/** "qd1." begins an encrypted value of the same column; a name must not look like one. */
const nameOf = (typed: string): string =>
  typed
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('qd1.', 'qd1 ')
    .trim()
    .slice(0, nameLimit) || 'Unnamed key'

/** The second step of signing in with a key. */
export const webauthnLogin: FlowMethod = {
  name: 'webauthn',
  owns: (given) => (given.get('webauthn_login') ?? '') !== '',

  async nodes(call, flow) {
    if (!isSecondStep(call, flow)) return []
    const keys = await keysOf(call)
    if (keys.length === 0) return []
    const options = await generateAuthenticationOptions({
      rpID: relyingParty(call),
      challenge: await challengeOf(call, flow),
      allowCredentials: listed(keys),
      userVerification: 'preferred',
    })
    return [
      withScript(call),
      hidden('webauthn_login', '', 'webauthn'),
      trigger('webauthn_login_trigger', 'oryWebAuthnLogin', { publicKey: options }, labels.useKey),
    ]
  },

  async submit(call, flow, given) {
    const { ctx, origin } = call
    const response = parsed<AuthenticationResponseJSON>(given.get('webauthn_login') ?? '')
    const expectedChallenge = challengeText(await challengeOf(call, flow))
    return showSecondFactor(call, flow, 'webauthn', async (sql, id) => {
      const keys = await factorsOf<KeyConfig>(sql, id, 'webauthn')
      const key = keys.find(({ identifiers }) => identifiers[0] === response.id)
      if (!key) throw refused()
      const verified = await verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: relyingParty(call),
        requireUserVerification: false,
        credential: {
          id: response.id,
          publicKey: new Uint8Array(Buffer.from(key.config.public_key, 'base64url')),
          counter: key.config.counter,
          transports: key.config.transports,
        },
      }).catch(() => undefined)
      if (!verified?.verified) throw refused()
      const config: KeyConfig = { ...key.config, counter: verified.authenticationInfo.newCounter }
      await updateFactor(sql, key.id, config, ctx.clock.now())
    })
  },
}

import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

const period = 30
/** Codes of the step before and after count too: clocks of telephones go wrong by that much. */
const tolerance = 1

const generator = (secret: string, email = '') =>
  new TOTP({
    issuer: 'Quarterdeck',
    label: email,
    algorithm: 'SHA1',
    digits: 6,
    period,
    secret: Secret.fromBase32(secret),
  })

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The step of the clock that a code belongs to; undefined when it is not right. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = generator(secret).validate({ token, timestamp: now.getTime(), window: tolerance })
  return delta === null ? undefined : Math.floor(now.getTime() / (period * 1000)) + delta
}

/** What an authenticator app scans, as an image address. */
export function qrCodeOf(secret: string, email: string): string {
  const svg = renderSVG(generator(secret, email).toString(), { border: 2 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

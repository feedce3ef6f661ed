import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** What a browser's script gets from the server to hand to a key. */
interface Options {
  challenge: string
  rp?: { id?: string }
  rpId?: string
}

interface Lie {
  /** Where the key believes to be used. */
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Pretends to have been used less often than it was. */
  counter?: number
  /** Without somebody touching it. */
  untouched?: boolean
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** As much of CBOR as an attestation needs. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const pairs = [...value].flatMap(([key, inner]) => [cbor(key), cbor(inner as never)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

/** A security key in software (ES256, no attestation), for tests. It can lie. */
export class SecurityKey {
  private readonly id = randomBytes(32)
  private readonly publicKey: KeyObject
  private readonly privateKey: KeyObject
  private counter = 0

  constructor(private readonly origin: string) {
    ;({ publicKey: this.publicKey, privateKey: this.privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  }

  /** Its answer to a registration, as the hidden field of the form carries it. */
  register(options: Options, lie: Lie = {}): string {
    const { x, y } = this.publicKey.export({ format: 'jwk' })
    const cose = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    )
    const length = Buffer.from([0, this.id.length])
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, cose])
    const authData = Buffer.concat([this.facts(options.rp?.id, lie, 0x40), attested])
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    const client = this.clientData('webauthn.create', options, lie)
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['usb'],
    })
  }

  /** Its answer to a sign-in. */
  signIn(options: Options, lie: Lie = {}): string {
    const authData = this.facts(options.rpId, lie)
    const client = this.clientData('webauthn.get', options, lie)
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(client)]))
      .sign(this.privateKey)
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  private facts(rpId = '', lie: Lie, more = 0): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(lie.counter ?? ++this.counter)
    return Buffer.concat([sha256(lie.rpId ?? rpId), Buffer.from([(lie.untouched ? 0 : 1) | more]), count])
  }

  private clientData(type: string, { challenge }: Options, lie: Lie): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: lie.type ?? type,
        challenge: lie.challenge ?? challenge,
        origin: lie.origin ?? this.origin,
        crossOrigin: false,
      }),
    )
  }

  private answer(response: object): string {
    const id = this.id.toString('base64url')
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }
}

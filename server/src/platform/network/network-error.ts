export type NetworkFailure =
  | 'denied'
  | 'dns'
  | 'timeout'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'closed'
  | 'aborted'
  | 'redirect'
  | 'too-large'
  | 'protocol'

/** Why a connection or request failed, in words for the person who configured it. */
export class NetworkError extends Error {
  override name = 'NetworkError'
  /** The platform's code, where there is one. */
  readonly code: string | undefined
  constructor(
    readonly failure: NetworkFailure,
    message: string,
    options: { cause?: unknown; code?: string } = {},
  ) {
    super(message, options)
    this.code = options.code ?? (options.cause as NodeJS.ErrnoException | undefined)?.code
  }
}

/** Thrown instead of connecting; the words name what was refused and nothing else. */
export class NotAllowedError extends NetworkError {
  override name = 'NotAllowedError'
  constructor(target: string) {
    super('denied', `Connecting to ${target} is not allowed by the network policy`, { code: 'ENETPOLICY' })
  }
}

const reset = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET'])
const away = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'])

/** Puts what the platform throws into the words above. */
export function networkError(error: unknown, target: string): NetworkError {
  if (error instanceof NetworkError) return error
  const {
    code = '',
    message,
    cause,
  } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException & {
    cause?: unknown
  }
  if (cause instanceof NetworkError) return cause
  const make = (failure: NetworkFailure, words: string) => new NetworkError(failure, words, { cause: error })
  if (code === 'ECONNREFUSED') return make('refused', `${target} refused the connection`)
  if (away.has(code)) return make('unreachable', `${target} cannot be reached`)
  if (reset.has(code)) return make('closed', `${target} closed the connection`)
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return make('timeout', `${target} did not answer in time`)
  if (code === 'ABORT_ERR' || (error as Error)?.name === 'AbortError')
    return make('aborted', `The connection to ${target} was given up`)
  if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) || /certificate/i.test(message)) {
    return make('tls', `The TLS connection to ${target} failed: ${tlsWords(code, message)}`)
  }
  return make('protocol', `The connection to ${target} failed: ${message}`)
}

function tlsWords(code: string, message: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has expired'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return 'its certificate is self-signed'
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'its certificate comes from an unknown authority'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'its certificate is for another name'
    default:
      return message.split('\n')[0]!
  }
}

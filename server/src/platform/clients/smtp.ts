import { createTransport, type SentMessageInfo } from 'nodemailer'
import { dialerOf } from '../network/dialer.ts'
import { type ClientRun, InvalidTarget, type Target } from './run.ts'

export interface SmtpMail {
  from: string
  to: string
  subject: string
  text: string
  html?: string
}

const methods: Record<string, string> = { plain: 'PLAIN', crammd5: 'CRAM-MD5', login: 'LOGIN' }

/** Sends one mail through `smtp://user:password@host:port/?Encryption=…&Auth=…`; what the target says wins over the address. */
export async function sendSmtp(run: ClientRun, target: Target, mail: SmtpMail): Promise<SentMessageInfo> {
  const { host, port, username, password, encryption, auth } = smtpAddress(target)
  const transport = createTransport({
    host,
    port,
    secure: encryption === 'implicittls' || (encryption === 'auto' && port === 465),
    requireTLS: encryption === 'explicittls',
    ignoreTLS: encryption === 'none',
    tls: { rejectUnauthorized: !target.insecureTls, servername: host },
    ...authOf(auth, username, password),
    connectionTimeout: run.timeout,
    greetingTimeout: run.timeout,
    socketTimeout: run.timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: unknown, callback: (error: Error | null, socket: object) => void) => {
      dialerOf(run.ctx)
        .connectTcp(host, port, { signal: run.signal, timeoutMs: run.timeout })
        .then(
          (connection) => callback(null, { connection }),
          (error: Error) => callback(error, {}),
        )
    },
  } as object)
  const late = new Promise<never>((_, reject) => {
    run.signal.addEventListener('abort', () => reject(run.signal.reason as Error), { once: true })
  })
  try {
    return (await Promise.race([transport.sendMail(mail), late])) as SentMessageInfo
  } finally {
    transport.close()
  }
}

function authOf(auth: string, user: string, password: string): object {
  if (auth === 'none' || !user) return {}
  if (auth === 'oauth2') return { auth: { type: 'OAuth2', user, accessToken: password } }
  return { auth: { user, pass: password }, ...(methods[auth] ? { authMethod: methods[auth] } : {}) }
}

/** The parts of the address, with what the properties say in place of it. */
export function smtpAddress({ url = '', username, password, properties }: Target) {
  let parsed: URL | undefined
  try {
    parsed = url ? new URL(/^smtps?:\/\//.test(url) ? url : `smtp://${url}`) : undefined
  } catch {
    throw new InvalidTarget('the address of the mail server cannot be read')
  }
  const option = (name: string) =>
    [...(parsed?.searchParams ?? [])].find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
  const host = (parsed?.hostname || properties.host || '').replace(/^\[(.*)\]$/, '$1')
  if (!host) throw new InvalidTarget('there is no host')
  const isSecure = parsed?.protocol === 'smtps:'
  return {
    host,
    port: Number(parsed?.port || properties.port || (isSecure ? 465 : 587)),
    username: username ?? decodeURIComponent(parsed?.username ?? ''),
    password: password ?? decodeURIComponent(parsed?.password ?? ''),
    encryption: (
      option('encryption') ||
      properties.encryptionMethod ||
      (isSecure ? 'ImplicitTLS' : 'Auto')
    ).toLowerCase(),
    auth: (option('auth') || properties.authMethod || properties.auth || 'Unknown').toLowerCase(),
    from: option('fromaddress') || option('from'),
  }
}

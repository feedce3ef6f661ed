import { connect as startTls } from 'node:tls'
import { Client } from 'undici'
import { dialerOf } from '../network/dialer.ts'
import type { ClientRun } from './run.ts'
import { exchange, type HttpAnswer, type HttpRequest } from './http.ts'
import { authenticateMessage, negotiateMessage, readChallenge } from './ntlm.ts'

/** NTLM belongs to a connection: the three messages travel over one that nobody else uses. */
export async function exchangeNtlm(
  run: ClientRun,
  request: HttpRequest,
  who: { username: string; password: string },
): Promise<HttpAnswer> {
  const started = performance.now()
  const client = ownConnection(run, request)
  try {
    const step = (authorization: string, body: HttpRequest['body']) =>
      exchange(run, { ...request, body, headers: { ...request.headers, authorization }, dispatcher: client })
    const challenged = await step(`NTLM ${negotiateMessage().toString('base64')}`, undefined)
    const offered = /(?:^|,\s*)NTLM\s+([A-Za-z0-9+/=]+)/.exec(challenged.headers['www-authenticate'] ?? '')
    // Without a challenge the server has answered already.
    if (challenged.code !== 401 || !offered) return challenged
    const message = authenticateMessage(readChallenge(Buffer.from(offered[1]!, 'base64')), who)
    const answer = await step(`NTLM ${message.toString('base64')}`, request.body)
    return { ...answer, ms: performance.now() - started }
  } finally {
    void client.destroy()
  }
}

function ownConnection(run: ClientRun, { url, tls }: HttpRequest): Client {
  return new Client(url.origin, {
    connect: (options, callback) => {
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      dialerOf(run.ctx)
        .connectTcp(options.hostname, port, { signal: run.signal })
        .then(
          (socket) => {
            if (options.protocol !== 'https:') return callback(null, socket)
            const secure = startTls({ socket, servername: options.hostname, ...tls })
            secure.once('error', (error) => callback(error, null))
            secure.once('secureConnect', () => callback(null, secure))
          },
          (error: Error) => callback(error, null),
        )
    },
  })
}

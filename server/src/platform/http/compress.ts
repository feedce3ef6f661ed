import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const deflate = promisify(gzip)
const smallest = 1024
// Level 2 packs JSON to within a tenth of the default at a third of the time.
const options = { level: 2, memLevel: 9, strategy: constants.Z_DEFAULT_STRATEGY }
const text = /^(application\/(json|vnd\.pgrst|yaml|openapi)|text\/)/
const loopback = /^(127\.|::1$|::ffff:127\.)/

/** Packs larger text answers for clients across a network; on the same machine it would only cost time. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (payload.length < smallest || reply.hasHeader('content-encoding')) return payload
    if (!text.test(String(reply.getHeader('content-type') ?? ''))) return payload
    const near = loopback.test(request.socket.remoteAddress ?? '') && !request.headers['x-forwarded-for']
    reply.header('vary', 'accept-encoding')
    if (near || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return payload
    const packed = await deflate(payload, options)
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return packed
  })
}

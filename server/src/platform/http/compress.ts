import { promisify } from 'node:util'
import { brotliCompress, type BrotliOptions, constants, gzip, type InputType, type ZlibOptions } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const smallest = 1024
// Measured on 500 catalog rows (107 kB): brotli 1 takes 0.2 ms for 17.2 kB, gzip 2 0.5 ms for 18.6 kB, gzip 6 0.8 ms.
const brotliAsync = promisify<InputType, BrotliOptions, Buffer>(brotliCompress)
const gzipAsync = promisify<InputType, ZlibOptions, Buffer>(gzip)
const packers = {
  br: (data: InputType) => brotliAsync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (data: InputType) => gzipAsync(data, { level: 2, memLevel: 9 }),
}
const text = /^(application\/(json|vnd\.pgrst|yaml|openapi)|text\/)/
const loopback = /^(127\.|::1$|::ffff:127\.)/

/** Packs larger text answers for clients across a network; on the same machine it would only cost time. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (payload.length < smallest || reply.hasHeader('content-encoding')) return payload
    if (!text.test(String(reply.getHeader('content-type') ?? ''))) return payload
    const near = loopback.test(request.socket.remoteAddress ?? '') && !request.headers['x-forwarded-for']
    const vary = reply.getHeader('vary')
    reply.header('vary', vary ? `${String(vary)}, accept-encoding` : 'accept-encoding')
    const way = near ? undefined : wayFor(request.headers['accept-encoding'] ?? '')
    if (!way) return payload
    const packed = await packers[way](payload)
    reply.header('content-encoding', way).removeHeader('content-length')
    return packed
  })
}

/** Names with a weight of zero are refusals. */
function wayFor(accepted: string): keyof typeof packers | undefined {
  const names = accepted
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]!.trim())
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : undefined
}

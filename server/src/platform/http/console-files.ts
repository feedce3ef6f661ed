import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { preloadsOf } from './console-preload.ts'

/** Serves the built console: hashed files for ever, pages never from a cache. */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  app.get('/config/*', (request, reply) => reply.redirect(request.url.replace(/^\/config\//, '/catalog/'), 308))
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/')
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/', (_, reply) => sendPage(reply, folder))
  // The file server would answer these with a bare 403; to a person they are addresses like any other.
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url === '/*' && !mayBeFile(request.url)) return reply.callNotFound()
  })
}

/** Files of the console have short and plain names. */
function mayBeFile(url: string): boolean {
  const path = decodeURIComponent(url.split('?')[0]!)
  return path.length <= 200 && !path.includes('\\') && posix.normalize(path) === path
}

/** Every address that is no file and no call is a page of the console; the console decides which. */
export function isPageRequest(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  return !/^\/(api|assets)(\/|$|\?)/.test(request.url)
}

export function sendPage(reply: FastifyReply, folder: string): FastifyReply {
  if (!existsSync(join(folder, 'index.html'))) {
    return reply.code(503).type('text/plain').send('The console is not built yet: run npm run build.\n')
  }
  const preloads = preloadsOf(folder, reply.request)
  if (preloads) void reply.header('link', preloads)
  return reply.header('cache-control', 'no-cache').sendFile('index.html', folder, { cacheControl: false })
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

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
  return reply.header('cache-control', 'no-cache').sendFile('index.html', folder, { cacheControl: false })
}

import type { FastifyInstance, FastifyReply } from 'fastify'

/** Lets a stop be quick: event streams end at once, and with the last answer under way all connections are closed. */
export function closeQuickly(app: FastifyInstance): void {
  const active = new Set<FastifyReply>()
  let isClosing = false
  // Browsers hold connections open that never carried a request; nothing else would close those.
  const closeWhenDone = () => {
    if (isClosing && active.size === 0) setTimeout(() => app.server.closeAllConnections(), 20)
  }
  const byRequest = new WeakMap<object, FastifyReply>()
  app.addHook('onRequest', async (request, reply) => {
    active.add(reply)
    byRequest.set(request, reply)
  })
  app.addHook('onResponse', async (_, reply) => {
    active.delete(reply)
    closeWhenDone()
  })
  app.addHook('onRequestAbort', async (request) => {
    const reply = byRequest.get(request)
    if (reply) active.delete(reply)
    closeWhenDone()
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const { raw, sent } of active) {
      // A reply taken out of the framework's hands counts as sent from then on.
      if (sent && !raw.writableEnded) raw.end()
    }
    closeWhenDone()
  })
}

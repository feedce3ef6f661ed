import type { FastifyInstance, FastifyReply } from 'fastify'

/** Ends open event streams when the server stops; nothing else would, and it would wait for them. */
export function endStreamsOnClose(app: FastifyInstance): void {
  const active = new Set<FastifyReply>()
  app.addHook('onRequest', async (_, reply) => {
    active.add(reply)
    reply.raw.once('close', () => active.delete(reply))
  })
  app.addHook('preClose', async () => {
    // A reply taken out of the framework's hands counts as sent from then on.
    for (const reply of active) if (reply.sent && !reply.raw.writableEnded) reply.raw.end()
  })
}

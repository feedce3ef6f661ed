import pino from 'pino'
import { expect, test } from 'vitest'
import { createServer } from './server.ts'

test('a stop ends open event streams at once and lets other requests finish', async () => {
  const app = await createServer({ log: pino({ level: 'silent' }), trustedProxies: [] })
  app.get('/stream', (_, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.raw.write('data: 1\n\n')
  })
  app.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return 'done'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  const stream = await fetch(`${url}/stream`)
  const gone = await fetch(`${url}/stream`)
  await gone.body!.cancel()
  const slow = fetch(`${url}/slow`).then((answer) => answer.text())
  await new Promise((resolve) => setTimeout(resolve, 50))
  const begun = Date.now()
  const closed = app.close()
  expect(await stream.text()).toBe('data: 1\n\n')
  expect(Date.now() - begun).toBeLessThan(250)
  expect(await slow).toBe('done')
  await closed
  expect(Date.now() - begun).toBeLessThan(1000)
})

import pino from 'pino'
import { expect, test } from 'vitest'
import { createServer } from './server.ts'

test('a stop ends open event streams at once and lets other requests finish', async () => {
  const app = await createServer({ log: pino({ level: 'silent' }), trustedProxies: [] })
  let entered: () => void = () => undefined
  let finish: () => void = () => undefined
  const isEntered = new Promise<void>((resolve) => (entered = resolve))
  const mayFinish = new Promise<void>((resolve) => (finish = resolve))
  app.get('/stream', (_, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.raw.write('data: 1\n\n')
  })
  app.get('/slow', async () => {
    entered()
    await mayFinish
    return 'done'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  const stream = await fetch(`${url}/stream`)
  const gone = await fetch(`${url}/stream`)
  await gone.body!.cancel()
  const slow = fetch(`${url}/slow`).then((answer) => answer.text())
  await isEntered
  const closed = app.close()
  // The stream has ended although the other request still runs; that one then gets its answer.
  expect(await stream.text()).toBe('data: 1\n\n')
  finish()
  expect(await slow).toBe('done')
  await closed
})

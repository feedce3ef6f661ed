import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createServer } from './server.ts'

async function policyOf(hosted?: string): Promise<string> {
  const app = await createServer({ log: pino({ level: 'silent' }), trustedProxies: [], ...(hosted ? { hosted } : {}) })
  app.get('/page', (_request, reply) => reply.type('text/html').send('<p>page</p>'))
  const answer = await app.inject({ url: '/page' })
  await app.close()
  return String(answer.headers['content-security-policy'])
}

test('a page runs scripts of this site only', async () => {
  const policy = await policyOf()
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  expect(policy).not.toContain('frame-src')
})

test('with a hosted identity provider its forms may load, and nothing else', async () => {
  const policy = await policyOf('https://clerk.deck.example.test')
  expect(policy).toContain("script-src 'self' https://clerk.deck.example.test https://challenges.cloudflare.com;")
  expect(policy).toContain("worker-src 'self' blob:")
  expect(policy).not.toContain('unsafe-eval')
})

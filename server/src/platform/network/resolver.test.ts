import { expect, test } from 'vitest'
import { Resolver } from './resolver.ts'

const found = [{ address: '192.0.2.1', family: 4 as const }]
const never = () => new Promise<never>(() => {})

test('names whose server is silent never reach the system, so others are not held up', async () => {
  const asked: string[] = []
  const resolver = new Resolver(
    async (host) => {
      asked.push(host)
      return host.startsWith('dead') ? never() : found
    },
    async (host) => !host.startsWith('dead'),
  )
  const dead = Array.from({ length: 10 }, (_, n) => resolver.resolve(`dead${n}.example`).catch((error: Error) => error))
  expect(await resolver.resolve('good.example')).toEqual(found)
  for (const error of await Promise.all(dead))
    expect((error as Error).message).toMatch(/^The name server did not answer for dead\d\.example$/)
  expect(asked).toEqual(['good.example'])
})

test('a name that was answered is not probed again while nothing is stuck; names without a dot never are', async () => {
  const probed: string[] = []
  const resolver = new Resolver(
    async () => found,
    async (host) => {
      probed.push(host)
      return true
    },
  )
  await resolver.resolve('a.example')
  await resolver.resolve('a.example')
  await resolver.resolve('localhost')
  expect(probed).toEqual(['a.example'])
})

test('one question per name at a time, answers are kept, failures say which name', async () => {
  let asked = 0
  const resolver = new Resolver(async (host) => {
    asked++
    if (host === 'gone.example') throw Object.assign(new Error('x'), { code: 'ENOTFOUND' })
    return found
  })
  await Promise.all([resolver.resolve('a.example'), resolver.resolve('a.example')])
  await resolver.resolve('a.example')
  expect(asked).toBe(1)
  await expect(resolver.resolve('gone.example')).rejects.toThrow('The host gone.example was not found')
  expect(await resolver.resolve('192.0.2.9')).toEqual([{ address: '192.0.2.9', family: 4 }])
  expect(asked).toBe(2)
})

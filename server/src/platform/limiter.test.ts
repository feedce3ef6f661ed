import { expect, test } from 'vitest'
import { Limiter } from './limiter.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('one key is bounded, another is not held up', async () => {
  const limiter = new Limiter(() => 2)
  const log: string[] = []
  const releases: (() => void)[] = []
  const enter = async (key: string, name: string) => {
    releases.push(await limiter.enter(key))
    log.push(name)
  }
  void enter('slow', 's1')
  void enter('slow', 's2')
  void enter('slow', 's3')
  void enter('quick', 'q1')
  await turn()
  expect(log).toEqual(['s1', 's2', 'q1'])
  releases[0]?.()
  await turn()
  expect(log).toEqual(['s1', 's2', 'q1', 's3'])
})

test('an abort leaves the queue and frees nothing twice', async () => {
  const limiter = new Limiter(() => 1)
  const release = await limiter.enter('k')
  const stop = new AbortController()
  const waiting = limiter.enter('k', stop.signal)
  stop.abort()
  await expect(waiting).rejects.toThrow('stopped while waiting')
  release()
  release()
  const again = await limiter.enter('k')
  again()
})

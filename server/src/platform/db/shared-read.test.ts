import { expect, test } from 'vitest'
import { sharedRead, SharedReads } from './shared-read.ts'

function counted() {
  const begun: { answer: (value: number) => void; fail: (error: Error) => void }[] = []
  const ask = sharedRead(() => new Promise<number>((answer, fail) => void begun.push({ answer, fail })))
  return { begun, ask }
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

test('who asks while one reads shares the next read, which begins after they asked', async () => {
  const { begun, ask } = counted()
  const first = ask()
  const later = [ask(), ask(), ask()]
  expect(begun).toHaveLength(1)
  begun[0]!.answer(1)
  expect(await first).toBe(1)
  await settled()
  expect(begun).toHaveLength(2)
  const evenLater = ask()
  begun[1]!.answer(2)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
  await settled()
  begun[2]!.answer(3)
  expect(await evenLater).toBe(3)
  await settled()
  const alone = ask()
  begun[3]!.answer(4)
  expect(await alone).toBe(4)
})

test('a read that fails fails for those who shared it, and the next goes on', async () => {
  const { begun, ask } = counted()
  const first = ask()
  const second = ask()
  begun[0]!.fail(new Error('no'))
  await expect(first).rejects.toThrow('no')
  await settled()
  begun[1]!.answer(5)
  expect(await second).toBe(5)
})

test('other questions do not wait, and nothing is kept of one that is answered', async () => {
  const reads = new SharedReads<string>()
  const begun: string[] = []
  const ask = (question: string) =>
    reads.read(question, async () => {
      begun.push(question)
      await settled()
      return `${question}!`
    })
  expect(await Promise.all([ask('a'), ask('a'), ask('b'), ask('a')])).toEqual(['a!', 'a!', 'b!', 'a!'])
  expect(begun).toEqual(['a', 'b', 'a'])
  await ask('a')
  expect(begun).toHaveLength(4)
})

test('in a line, who asks before its turn has come shares it', async () => {
  const turns: (() => void)[] = []
  let left = 0
  const reads = new SharedReads<number>(async () => {
    await new Promise<void>((resolve) => void turns.push(resolve))
    return () => void left++
  })
  let begun = 0
  const ask = () => reads.read('a', async () => ++begun)
  const early = [ask(), ask()]
  await settled()
  const later = ask()
  expect(begun).toBe(0)
  turns[0]!()
  expect(await Promise.all([...early, later])).toEqual([1, 1, 1])
  await settled()
  expect(left).toBe(1)
  const next = ask()
  turns[1]!()
  expect(await next).toBe(2)
})

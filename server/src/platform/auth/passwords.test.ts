import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import {
  generatePassword,
  hashPassword,
  isOutdated,
  passwordFault,
  verifyPassword,
  verifyRepeated,
} from './passwords.ts'

const time = async (work: () => Promise<unknown>) => {
  const start = performance.now()
  await work()
  return performance.now() - start
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

describe('passwords', () => {
  test('are hashed with argon2id, 19 MiB, two passes', async () => {
    const stored = await hashPassword('correct horse')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(isOutdated(stored)).toBe(false)
    expect(await verifyPassword(stored, 'correct horse')).toBe(true)
    expect(await verifyPassword(stored, 'correct hors')).toBe(false)
    expect(isOutdated(await hash('x', { memoryCost: 8192, timeCost: 1 }))).toBe(true)
  })

  test('a missing account takes as long as a wrong password', async () => {
    const stored = await hashPassword('correct horse')
    const wrong: number[] = []
    const unknown: number[] = []
    for (let i = 0; i < 7; i++) {
      wrong.push(await time(() => verifyPassword(stored, 'wrong')))
      unknown.push(await time(() => verifyPassword(undefined, 'wrong')))
    }
    expect(await verifyPassword(undefined, 'wrong')).toBe(false)
    const ratio = median(unknown) / median(wrong)
    expect(ratio).toBeGreaterThan(0.4)
    expect(ratio).toBeLessThan(2.5)
  })

  test('a stored value that is no hash fits nothing', async () => {
    expect(await verifyPassword('garbage', 'garbage')).toBe(false)
    expect(await verifyPassword('', '')).toBe(false)
  })

  test('the same letters composed differently are the same password', async () => {
    expect(await verifyPassword(await hashPassword('caf\u00e9 noir'), 'cafe\u0301 noir')).toBe(true)
  })

  test('repeated credentials are hashed once, and a changed hash is noticed at once', async () => {
    const stored = await hashPassword('correct horse')
    expect(await verifyRepeated(stored, 'correct horse')).toBe(true)
    expect(await time(() => verifyRepeated(stored, 'correct horse'))).toBeLessThan(5)
    expect(await verifyRepeated(await hashPassword('another'), 'correct horse')).toBe(false)
    expect(await verifyRepeated(undefined, 'correct horse')).toBe(false)
  })

  test.each([
    ['short', 'too-short'],
    ['x'.repeat(1025), 'too-long'],
    ['Password1', 'common'],
    ['aaaaaaaaaa', 'common'],
    ['ada.lovelace', 'like-name'],
    ['ada.lovelace@example.test', 'like-name'],
    ['correct horse', undefined],
    ['пароль из букв', undefined],
    ['🙂🙃🙂🙃🙂🙃🙂🙁', undefined],
  ])('%s is %s', (password, fault) => expect(passwordFault(password, 'ada.lovelace@example.test')).toBe(fault))

  test('generated ones differ and are good enough', () => {
    const some = new Set(Array.from({ length: 50 }, generatePassword))
    expect(some.size).toBe(50)
    for (const one of some) expect(passwordFault(one, 'admin@quarterdeck.local')).toBeUndefined()
  })
})

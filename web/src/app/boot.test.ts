import { describe, expect, test } from 'vitest'
import { type AuthMode, referenceServer } from '@/api/capabilities.ts'
import { ApiError } from '@/api/errors.ts'
import type { Me } from '@/api/session.ts'
import { type Answers, bootOf } from './boot.ts'

const me: Me = { user: { id: '1', name: 'Ada' }, roles: ['admin'] }
const none = { data: undefined, error: null }
const got = <T>(data: T) => ({ data, error: null })
const failed = (status: number) => ({ data: undefined, error: new ApiError(status, 'no') })
const at = '/health?checkId=1'

function boot(mode: AuthMode, answers: Partial<Answers>, waitForFlags = true) {
  const capabilities = got({ ...referenceServer, auth: mode })
  const all = { capabilities, session: got({}), me: got(me), properties: got([]), ...answers }
  return bootOf(all, at, waitForFlags)
}

describe('start of the console', () => {
  test('waits for every answer that counts', () => {
    expect(boot('builtin', {})).toMatchObject({ kind: 'ready', me })
    expect(boot('builtin', { capabilities: none }).kind).toBe('loading')
    expect(boot('builtin', { session: none }).kind).toBe('loading')
    expect(boot('builtin', { me: none }).kind).toBe('loading')
  })

  test('[SHELL-07] routes wait for the feature flags, the standalone topology view does not', () => {
    expect(boot('builtin', { properties: none }).kind).toBe('loading')
    expect(boot('builtin', { properties: none }, false)).toMatchObject({ kind: 'ready', properties: [] })
  })

  test('what is known stays on screen when a later question finds the server away', () => {
    const stale = <T>(data: T) => ({ data, error: new ApiError(0, 'away') })
    const { data } = got({ ...referenceServer, auth: 'builtin' as const })
    expect(boot('builtin', { capabilities: stale(data), me: stale(me), properties: stale([]) }).kind).toBe('ready')
    expect(boot('builtin', { properties: failed(0) }).kind).toBe('failed')
  })

  test.each(['builtin', 'kratos'] as const)(
    '[AUTH-08] %s: no session leads to sign-in and back with the query',
    (mode) => {
      expect(boot(mode, { session: failed(401), me: failed(401) })).toEqual({
        kind: 'go',
        to: '/login?return_to=%2Fhealth%3FcheckId%3D1',
      })
    },
  )

  test.each([403, 422])('[AUTH-09] a session check answering %s asks for the second factor', (status) => {
    expect(boot('builtin', { session: failed(status) })).toEqual({
      kind: 'go',
      to: '/login?aal=aal2&return_to=%2Fhealth%3FcheckId%3D1',
    })
  })

  test.each([0, 404, 500, 503])('[AUTH-10] a session check answering %s raises the error', (status) => {
    expect(boot('builtin', { session: failed(status) })).toMatchObject({ kind: 'failed', error: { status } })
  })

  test('[MODE-04] with sessions disabled no session is asked for', () => {
    expect(boot('none', { session: failed(401) }).kind).toBe('ready')
  })

  test.each([404, 500, 502, 503])('[MODE-07] hosted: whoami answering %s shows the provisioning screen', (status) => {
    expect(boot('clerk', { session: failed(401), me: failed(status) })).toEqual({ kind: 'provisioning' })
  })

  test.each([400, 403, 409])('[MODE-08] hosted: whoami answering %s shows an error page', (status) => {
    expect(boot('clerk', { me: failed(status) })).toMatchObject({ kind: 'failed', error: { status } })
  })

  test('[AUTH-07] hosted: nobody signed in leads to /login', () => {
    expect(boot('clerk', { session: failed(401), me: failed(401) })).toMatchObject({
      kind: 'go',
      to: expect.stringMatching(/^\/login\?/),
    })
  })

  test.each(['plain', 'builtin'] as const)('[MODE-09] %s: whoami failing with anything shows an error page', (mode) => {
    for (const status of [0, 401, 403, 404, 500, 503]) {
      expect(boot(mode, { me: failed(status) })).toMatchObject({ kind: 'failed', error: { status } })
    }
  })
})

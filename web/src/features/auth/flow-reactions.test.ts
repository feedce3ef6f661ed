import { describe, expect, test } from 'vitest'
import { ApiError } from '@/api/errors.ts'
import { reactionTo } from './flow-reactions.ts'

const here = '/profile-settings?return_to=%2Fhealth'
const back = encodeURIComponent(here)
const failed = (id: string, redirect?: string, status = 403) =>
  new ApiError(status, 'no', { error: { id, code: status, message: 'no' }, redirect_browser_to: redirect })
const react = (error: unknown, kind: 'login' | 'settings' | 'recovery' = 'login') => reactionTo(error, { kind, here })

describe('reactions to flow errors', () => {
  test('[ERR-05] session_aal2_required goes to the given address, or to login with aal2', () => {
    expect(react(failed('session_aal2_required', 'https://id.example.test/login?aal=aal2'))).toEqual({
      kind: 'leave',
      href: 'https://id.example.test/login?aal=aal2',
    })
    expect(react(failed('session_aal2_required'))).toEqual({ kind: 'go', to: `/login?aal=aal2&return_to=${back}` })
  })

  test('[AUTH-11] settings that need the second factor come back to the settings', () => {
    const reaction = react(failed('session_aal2_required', '/api/.ory/self-service/login/browser?aal=aal2'), 'settings')
    const href = new URL((reaction as { href: string }).href)
    expect(reaction.kind).toBe('leave')
    expect(href.pathname + href.searchParams.get('aal')).toBe('/api/.ory/self-service/login/browseraal2')
    expect(href.searchParams.get('return_to')).toBe(window.location.origin + here)
    expect(react(failed('session_aal2_required'), 'settings')).toMatchObject({
      to: `/login?aal=aal2&return_to=${back}`,
    })
  })

  test('[ERR-06] session_already_available goes to /', () => {
    expect(react(failed('session_already_available', undefined, 400))).toEqual({ kind: 'go', to: '/' })
  })

  test('[ERR-07] session_refresh_required goes to the given address, or to login with refresh', () => {
    expect(react(failed('session_refresh_required', '/login?refresh=true&x=1'))).toEqual({
      kind: 'leave',
      href: '/login?refresh=true&x=1',
    })
    expect(react(failed('session_refresh_required'))).toEqual({
      kind: 'go',
      to: `/login?refresh=true&return_to=${back}`,
    })
  })

  test('[ERR-08] session_inactive goes to login with return_to', () => {
    expect(react(failed('session_inactive', undefined, 401))).toEqual({ kind: 'go', to: `/login?return_to=${back}` })
  })

  test('[ERR-09] self_service_flow_return_to_forbidden says so and restarts', () => {
    expect(react(failed('self_service_flow_return_to_forbidden', undefined, 400))).toEqual({
      kind: 'restart',
      toast: 'The return_to address is not allowed.',
    })
  })

  test('[ERR-10] self_service_flow_expired says so and restarts', () => {
    expect(react(failed('self_service_flow_expired', undefined, 410))).toEqual({
      kind: 'restart',
      toast: 'Your interaction expired, please fill out the form again.',
    })
  })

  test('[ERR-11] security_csrf_violation says so and restarts', () => {
    expect(react(failed('security_csrf_violation'))).toEqual({
      kind: 'restart',
      toast: 'A security violation was detected, please fill out the form again.',
    })
  })

  test('[ERR-12] security_identity_mismatch restarts without a word', () => {
    expect(react(failed('security_identity_mismatch'))).toEqual({ kind: 'restart' })
  })

  test('[ERR-13] browser_location_change_required goes to the given address', () => {
    expect(react(failed('browser_location_change_required', '/profile-settings?flow=1', 422), 'recovery')).toEqual({
      kind: 'leave',
      href: '/profile-settings?flow=1',
    })
  })

  test('[ERR-14] everything else is raised, except a 400 with a form and a 410', () => {
    const flow = { id: 'f', ui: { action: '', method: 'POST', nodes: [] } }
    expect(react(new ApiError(400, 'no', flow))).toEqual({ kind: 'show', flow })
    expect(react(new ApiError(410, 'no', null))).toEqual({ kind: 'restart' })
    for (const error of [
      failed('something_else'),
      failed('toString'),
      new ApiError(400, 'no', { message: 'not a form' }),
      new ApiError(500, 'no'),
      new ApiError(0, 'no'),
      new TypeError('a bug'),
      failed('browser_location_change_required', undefined, 422),
    ]) {
      expect(react(error)).toEqual({ kind: 'raise', error })
    }
  })

  test('an address that is not a web address is never gone to', () => {
    const error = failed('browser_location_change_required', 'javascript:alert(1)', 422)
    expect(react(error)).toEqual({ kind: 'raise', error })
  })
})

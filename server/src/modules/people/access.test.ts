import { can, resources, roles } from '@quarterdeck/contract/permissions'
import { describe, expect, test } from 'vitest'
import { allPolicies, explainAccess, policiesOf } from './access.ts'

const person = { id: 'p', name: 'Ada', email: 'ada@example.test', state: 'active' }
const reach = { password: true, sessions: 1, tokens: 0 }

describe('access explained', () => {
  test.each(roles)('%s: every grant says what the matrix says, and names the role', (role) => {
    const explained = explainAccess({ person, stored: [role], reach })
    expect(explained.grants).toHaveLength(resources.length * 2)
    for (const { resource, action, allowed, because } of explained.grants) {
      expect(allowed).toBe(can([role], action, resource))
      expect(because).toEqual(allowed ? [role] : [])
    }
  })

  test('[RBAC-01] roles are the five, and somebody without one is a viewer', () => {
    expect([...roles].toSorted()).toEqual(['admin', 'commander', 'editor', 'responder', 'viewer'])
    for (const stored of [[], ['everyone'], ['nonsense']]) {
      const explained = explainAccess({ person, stored, reach })
      expect(explained.roles).toEqual([{ role: 'viewer', why: 'everybody without a role is a viewer' }])
      expect(explained.grants.some(({ action, allowed }) => action === 'write' && allowed)).toBe(false)
      expect(explained.may_run_checks).toBe(false)
    }
  })

  test('several roles add up, and each is named', () => {
    const explained = explainAccess({ person, stored: ['viewer', 'responder'], reach })
    const grant = explained.grants.find(({ resource, action }) => resource === 'incident' && action === 'write')
    expect(grant).toMatchObject({ allowed: true, because: ['responder'] })
    expect(
      explained.grants.find(({ resource, action }) => resource === 'incident' && action === 'read')?.because,
    ).toEqual(['viewer', 'responder'])
  })

  test('notes say when rights cannot be used', () => {
    const notes = (state: string | null, password: boolean) =>
      explainAccess({
        person: { ...person, state },
        stored: [],
        reach: { password, sessions: 0, tokens: 2 },
      }).notes.join(' ')
    expect(notes('inactive', true)).toContain('deactivated')
    expect(notes('active', false)).toContain('No password')
    expect(notes(null, false)).toContain('no account')
    expect(notes('active', true)).toContain('2 can be used')
  })

  test('policies: admin is one line, the others one per right', () => {
    expect(policiesOf(['admin'])).toEqual([{ subject: 'admin', object: '*', action: '*', deny: false }])
    expect(policiesOf(['viewer']).every(({ action }) => action === 'read')).toBe(true)
    expect(new Set(allPolicies().map(({ subject }) => subject))).toEqual(new Set(roles))
  })
})

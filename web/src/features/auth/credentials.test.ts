import { describe, expect, test } from 'vitest'
import { captureCredentials, takeCredentials } from './credentials.ts'

const at = (address: string) => window.history.replaceState(null, '', address)
const here = () => window.location.pathname + window.location.search

describe('credentials in the address', () => {
  test('they leave the address at once and are given out once', () => {
    at('/login?return_to=%2Fhealth&username=ada%40example.test&password=s%26cret')
    captureCredentials()
    expect(here()).toBe('/login?return_to=%2Fhealth')
    expect(takeCredentials()).toEqual({ identifier: 'ada@example.test', password: 's&cret' })
    expect(takeCredentials()).toBeNull()
  })

  test('a half is removed too, but not used', () => {
    at('/login?password=secret')
    captureCredentials()
    expect(here()).toBe('/login')
    expect(takeCredentials()).toBeNull()
  })

  test('other pages keep their parameters', () => {
    at('/settings/users?email=a&password=b')
    captureCredentials()
    expect(here()).toBe('/settings/users?email=a&password=b')
  })
})

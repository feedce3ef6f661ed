import { expect, test } from 'vitest'
import { severityOf } from './severity.ts'

test.each([
  ['BackOff', 'high'],
  ['Evicted', 'medium'],
  ['Killing', 'info'],
  ['FailedMount', 'low'],
  ['NodeNotReady', 'high'],
  ['SomethingNotReady', 'low'],
  ['DiskIsDown', 'medium'],
  ['CreateNetworkInterface', 'info'],
  ['CreateUser', 'low'],
  ['FailedSomething', 'medium'],
  ['ImageFailedTwice', 'medium'],
  ['RevokeGrant', 'medium'],
  ['Whatever', 'info'],
  ['diff', null],
])('%s is %s', (type, severity) => {
  expect(severityOf(type)).toBe(severity)
})

import { expect, test } from 'vitest'
import { hasFeature, hasPage, hasRelation, hasRoute } from './deployment.ts'
import { features } from './features.ts'
import { relations } from './relations.ts'

test('the full deployment has everything', () => {
  expect(Object.keys(relations).every((name) => hasRelation('full', name))).toBe(true)
  expect(features.every((feature) => hasFeature('full', feature))).toBe(true)
  expect(hasRoute('full', '/catalog/changes')).toBe(true)
  expect(hasPage('full', '/catalog')).toBe(true)
})

test('[MODE-05] the health deployment has checks and what they need, and nothing of the other areas', () => {
  const has = Object.keys(relations).filter((name) => hasRelation('health', name))
  expect(has).toContain('checks')
  expect(has.filter((name) => /config|component|topolog|incident|playbook|evidence|hypothes/.test(name))).toEqual([])
  expect(hasRoute('health', '/canary/api/summary')).toBe(true)
  expect(hasRoute('health', '/catalog/changes')).toBe(false)
  expect(hasRoute('health', '/v1/capabilities')).toBe(true)
  expect(hasRoute('health', '/v1/scrapers/try')).toBe(false)
  expect(hasFeature('health', 'health')).toBe(true)
  expect(hasFeature('health', 'playbooks')).toBe(false)
  expect(
    ['/', '/health', '/login', '/settings/agents', '/settings/canaries/1'].every((page) => hasPage('health', page)),
  ).toBe(true)
  expect(
    ['/topology', '/catalog/1', '/playbooks', '/settings/integrations', '/logs?x=1', '/view/topology/1'].some((page) =>
      hasPage('health', page),
    ),
  ).toBe(false)
})

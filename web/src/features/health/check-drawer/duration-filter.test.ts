import { describe, expect, test } from 'vitest'
import { durationChoices, durationError, parseDurationFilter, statusChoices, statusFilter } from './duration-filter.ts'
import { relationsOf } from './relationships-tab.tsx'

describe('the filters of the history', () => {
  test('[DRAWER-13] the choices offered', () => {
    expect(durationChoices).toEqual(['100ms', '500ms', '1s', '5s', '10s', '30s'])
    expect(parseDurationFilter('All')).toEqual({ ok: true, ms: undefined })
  })
  test('[DRAWER-15] only ms and s are accepted', () => {
    for (const wrong of ['5', '5m', '1h', 'fast', '-1s', '1 second']) {
      expect(parseDurationFilter(wrong)).toEqual({ ok: false, message: durationError })
    }
    expect(durationError).toBe('duration is allowed only in milli seconds & seconds')
  })
  test('[DRAWER-16] seconds become milliseconds; Healthy is 1, Unhealthy 0, All nothing', () => {
    expect(parseDurationFilter('2s')).toEqual({ ok: true, ms: 2000 })
    expect(parseDurationFilter('1.5s')).toEqual({ ok: true, ms: 1500 })
    expect(parseDurationFilter('250ms')).toEqual({ ok: true, ms: 250 })
    expect(statusChoices.map(statusFilter)).toEqual([undefined, '1', '0'])
  })
})

test('relations name configs and components once each and lead to them', () => {
  const relations = relationsOf({
    configs: [
      { configs: { id: 'a', name: 'web', type: 'Kubernetes::Pod' } },
      { configs: null },
      { configs: { id: 'a', name: 'web', type: 'Kubernetes::Pod' } },
    ],
    components: [{ components: { id: 'b', name: 'shop', icon: null } }],
  })
  expect(relations.map(({ name, type, to }) => [name, type, to])).toEqual([
    ['web', 'Kubernetes::Pod', '/catalog/a'],
    ['shop', 'Component', '/topology/b'],
  ])
})

import { describe, expect, test } from 'vitest'
import { features, flagName, isDisabled } from './flags.ts'

const on = (...names: string[]) => names.map((name) => ({ name, value: 'true' }))

describe('feature flags', () => {
  test('[FLAG-01] a feature is off when {feature}.disable is exactly true', () => {
    expect(isDisabled(on('incidents.disable'), 'incidents')).toBe(true)
    expect(isDisabled([], 'incidents')).toBe(false)
    for (const value of ['false', '', 'TRUE', 'yes', '1', ' true']) {
      expect(isDisabled([{ name: 'incidents.disable', value }], 'incidents')).toBe(false)
    }
    expect(isDisabled(on('incidents'), 'incidents')).toBe(false)
    expect(isDisabled(on('incidents.disabled'), 'incidents')).toBe(false)
  })

  test('[FLAG-02] every feature and settings section can be switched off by itself', () => {
    const expected =
      'topology health incidents config logs playbooks agents settings.connections settings.users settings.teams ' +
      'settings.rules settings.config_scraper settings.topology settings.health settings.job_history ' +
      'settings.feature_flags settings.logging_backends settings.event_queue_status settings.organization_profile ' +
      'settings.notifications settings.playbooks settings.integrations'
    expect([...features].toSorted()).toEqual(expected.split(' ').toSorted())
    for (const feature of features) expect(isDisabled(on(flagName(feature)), feature)).toBe(true)
  })

  test('[FLAG-03] switching off config, topology or health switches off what depends on it, and nothing else', () => {
    const off = (flag: string) => features.filter((feature) => isDisabled(on(flag), feature))
    expect(off('config.disable')).toEqual(['config', 'settings.config_scraper'])
    expect(off('topology.disable')).toEqual(['topology', 'settings.topology'])
    expect(off('health.disable')).toEqual(['health', 'settings.health', 'settings.job_history'])
    expect(off('settings.health.disable')).toEqual(['settings.health'])
    expect(off('playbooks.disable')).toEqual(['playbooks'])
  })
})

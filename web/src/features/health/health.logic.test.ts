import { defaultHealthRange, healthRanges } from '@quarterdeck/contract/time-range'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aggregate, checkState, type CheckSummary, dotColor, isPassing, showsAge, weekMs } from './check.ts'
import { filterChecks } from './filtering.ts'
import { countStates, groupChecks, isBooleanLabel, labelChoices, tabsOf, totalled } from './grouping.ts'
import { healthFilters } from './health.filters.ts'
import { pivotChecks } from './pivot.ts'
import { allowedRate, isRateDisabled, readRate, refreshMs, refreshRates } from './refresh-rate.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const ago = (ms: number) => new Date(now - ms).toISOString()
let count = 0
const aCheck = (more: Partial<CheckSummary> = {}): CheckSummary => ({
  id: `id-${(count += 1)}`,
  name: 'home page',
  type: 'http',
  canary_name: 'shop',
  namespace: 'web',
  status: 'healthy',
  last_runtime: ago(30_000),
  next_runtime: ago(-30_000),
  uptime: { passed: 59, failed: 1 },
  latency: { p95: 100 },
  ...more,
})

describe('what a check looks like', () => {
  test('[HEALTH-24] dots: red, gray, orange, otherwise green', () => {
    for (const status of ['unhealthy', 'degraded', 'missing', 'bad']) expect(dotColor(status)).toBe('red')
    for (const status of ['unknown', 'suspended', undefined]) expect(dotColor(status)).toBe('gray')
    for (const status of ['warning', 'warn', 'mixed']) expect(dotColor(status)).toBe('orange')
    for (const status of ['healthy', 'good']) expect(dotColor(status)).toBe('green')
  })

  test('paused, never run, stale and behind an absent agent are not healthy', () => {
    expect(checkState(aCheck({ suspended: true }), now)).toBe('paused')
    expect(checkState(aCheck({ status: undefined }), now)).toBe('unknown')
    expect(checkState(aCheck({ last_runtime: ago(3_600_000), next_runtime: ago(3_540_000) }), now)).toBe('stale')
    expect(checkState(aCheck({ agent_id: 'a', agent_last_seen: ago(62_000) }), now)).toBe('agent-offline')
    expect(checkState(aCheck(), now)).toBe('healthy')
    expect(checkState(aCheck({ status: 'unhealthy' }), now)).toBe('unhealthy')
  })

  test('[HEALTH-25] age only after an hour, and before the maximum where one applies', () => {
    expect(showsAge(ago(3_600_000), now)).toBe(false)
    expect(showsAge(ago(3_600_001), now)).toBe(true)
    expect(showsAge(ago(weekMs), now, weekMs)).toBe(false)
    expect(showsAge(ago(weekMs - 1), now, weekMs)).toBe(true)
    expect(showsAge(undefined, now)).toBe(false)
  })
})

test('[TIME-03] without a range in the address the dashboard shows the second of the list, 1h', () => {
  expect(healthFilters.read('').timeRange ?? defaultHealthRange).toBe(healthRanges[1].label)
  expect(defaultHealthRange).toBe('1h')
  expect(healthFilters.read('timeRange=3h').timeRange).toBe('3h')
})

describe('groups and tabs', () => {
  test('[HEALTH-17] good, bad, mixed', () => {
    const [good, bad, none] = [aCheck(), aCheck({ status: 'unhealthy' }), aCheck({ status: undefined })]
    expect(aggregate([good, good], now)).toBe('good')
    expect(aggregate([bad, bad], now)).toBe('bad')
    expect(aggregate([good, bad], now)).toBe('mixed')
    expect(aggregate([good, none], now)).toBe('mixed')
  })

  test('a group nobody has looked at is unknown, however good it was', () => {
    const stale = aCheck({
      last_runtime: new Date(now - 3_600_000).toISOString(),
      next_runtime: new Date(now - 3_540_000).toISOString(),
    })
    expect(aggregate([stale, aCheck({ suspended: true }), aCheck({ status: undefined })], now)).toBe('unknown')
    expect(aggregate([stale, aCheck()], now)).toBe('mixed')
    const [group] = groupChecks([stale, { ...stale, id: '2' }], 'canary_name')
    expect(totalled(group!, now).aggregate).toBe('unknown')
  })

  test('[HEALTH-08] grouped by canary, by name before the first slash, by kind, by label, or not at all', () => {
    const checks = [
      aCheck({ name: 'a/b/c', labels: { tier: 'front' } }),
      aCheck({ name: 'a/d', canary_name: 'other' }),
      aCheck({ name: 'z', type: 'tcp' }),
    ]
    const names = (groupBy: string) => groupChecks(checks, groupBy).map((group) => [group.name, group.checks.length])
    expect(names('canary_name')).toEqual([
      ['other', 1],
      ['shop', 2],
    ])
    expect(names('name')).toEqual([
      ['a', 2],
      ['z', 1],
    ])
    expect(names('type')).toEqual([
      ['http', 2],
      ['tcp', 1],
    ])
    expect(names('tier')).toEqual([
      ['front', 1],
      ['a/d', 1],
      ['z', 1],
    ])
    expect(names('no-group')).toEqual([
      ['a/b/c', 1],
      ['a/d', 1],
      ['z', 1],
    ])
    expect(healthFilters.read('').groupBy).toBe('canary_name')
  })

  test('a group adds up its uptime and is as slow as its slowest check', () => {
    const [group] = groupChecks(
      [aCheck(), aCheck({ latency: { p95: 250 }, uptime: { passed: 0, failed: 10 } })],
      'canary_name',
    )
    expect(totalled(group!, now)).toMatchObject({ uptime: { passed: 59, failed: 11 }, latency: 250 })
  })

  test('[HEALTH-18] tabs: All first, the rest by name, a missing namespace as none', () => {
    const checks = [
      aCheck({ namespace: 'web' }),
      aCheck({ namespace: '' }),
      aCheck({ namespace: 'data', status: 'unhealthy' }),
      aCheck({ namespace: 'data', status: undefined }),
    ]
    expect(tabsOf(checks, 'namespace')).toEqual([
      { name: 'All', total: 4, failing: 1 },
      { name: 'data', total: 2, failing: 1 },
      { name: 'none', total: 1, failing: 0 },
      { name: 'web', total: 1, failing: 0 },
    ])
    expect(tabsOf([aCheck({ agent_id: 'x' }), aCheck()], 'agent_id', { x: 'edge' }).map((tab) => tab.name)).toEqual([
      'All',
      'edge',
      'local',
    ])
    expect(tabsOf([aCheck({ labels: { tier: 'b' } })], 'tier').map((tab) => tab.name)).toEqual(['All', 'b'])
  })

  test('[HEALTH-19] pass and fail are counted, what nobody knows is neither', () => {
    const counts = countStates([aCheck(), aCheck({ status: 'unhealthy' }), aCheck({ suspended: true })], now)
    expect(counts).toMatchObject({ pass: 1, fail: 1, other: 1 })
  })

  test('[HEALTH-07] pivot: one column per value, one cell per group and value', () => {
    const checks = [
      aCheck({ labels: { region: 'eu' } }),
      aCheck({ labels: { region: 'us' }, status: 'unhealthy' }),
      aCheck({ labels: { region: 'eu' }, canary_name: 'other' }),
      aCheck({ canary_name: 'nowhere' }),
    ]
    const pivot = pivotChecks(checks, 'canary_name', 'labels', 'region', now)
    expect(pivot.columns).toEqual(['eu', 'us'])
    expect(pivot.rows.map((row) => row.name)).toEqual(['other', 'shop'])
    expect(pivot.rows[1]?.cells.get('us')?.aggregate).toBe('bad')
    expect(pivot.rows[0]?.cells.has('us')).toBe(false)
  })
})

describe('filters', () => {
  const checks = [
    aCheck({ name: 'good', labels: { app: 'web', critical: 'true' } }),
    aCheck({ name: 'bad', status: 'unhealthy', labels: { app: 'db' } }),
    aCheck({ name: 'idle', status: undefined, labels: { app: 'web', critical: 'false' } }),
  ]
  const names = (filter: Partial<Parameters<typeof filterChecks>[1]>) =>
    filterChecks(checks, { query: '', labels: {}, ...filter }).map((check) => check.name)

  test('[HEALTH-10] passing checks are hidden unless asked for', () => {
    expect(healthFilters.read('').hidePassing).toBe(true)
    expect(healthFilters.read('hidePassing=false').hidePassing).toBe(false)
    const shown = (...list: CheckSummary[]) => list.filter((check) => !isPassing(check, now)).map(({ name }) => name)
    expect(shown(...checks)).toEqual(['bad', 'idle'])
    const long = new Date(now - 3_600_000).toISOString()
    expect(
      shown(
        aCheck({ name: 'paused', suspended: true }),
        aCheck({ name: 'stale', last_runtime: long, next_runtime: long }),
        aCheck({ name: 'away', agent_id: 'x', agent_last_seen: long }),
      ),
    ).toEqual(['paused', 'stale', 'away'])
  })
  test('[HEALTH-04] labels include and exclude', () => {
    expect(healthFilters.read('labels={"app:web":1}').labels).toEqual({ 'app:web': 1 })
    expect(names({ labels: { 'app:web': 1 } })).toEqual(['good', 'idle'])
    expect(names({ labels: { 'app:web': -1 } })).toEqual(['bad'])
    expect(names({ labels: { critical: 1 } })).toEqual(['good'])
    expect(names({ labels: { critical: -1 } })).toEqual(['bad', 'idle'])
    expect(names({ labels: { 'app:web': 1, 'app:db': 1 } })).toEqual(['good', 'bad', 'idle'])
  })
  test('every word of the search must occur somewhere', () => {
    expect(names({ query: 'BAD' })).toEqual(['bad'])
    expect(names({ query: 'web app=' })).toEqual(['good', 'bad', 'idle'])
    expect(names({ query: 'nothing' })).toEqual([])
  })
  test('[HEALTH-11] all and empty leave the address', () => {
    expect(healthFilters.write({ tab: 'all', query: '', labels: {} }, 'tab=web&query=x').toString()).toBe('')
  })
  test('[HEALTH-13] label keys with their values; yes and no labels are told apart', () => {
    expect(labelChoices(checks)).toEqual([
      { key: 'app', values: ['db', 'web'] },
      { key: 'critical', values: ['false', 'true'] },
    ])
    expect(isBooleanLabel(['false', 'true'])).toBe(true)
    expect(isBooleanLabel(['true', 'maybe'])).toBe(false)
  })
  test('what is filtered is a part of what was given, whatever the filter', () => {
    const arbitrary = fc.record({
      query: fc.string(),
      labels: fc.dictionary(fc.string(), fc.constantFrom(1 as const, -1 as const)),
    })
    fc.assert(fc.property(arbitrary, (filter) => filterChecks(checks, filter).every((check) => checks.includes(check))))
  })
})

describe('[HEALTH-20] refresh rates', () => {
  test('the choices and their lengths', () => {
    expect(refreshRates).toEqual(['None', '15s', '30s', '60s', '2m', '3m', '5m', '10m', '15m'])
    expect([
      refreshMs('15s'),
      refreshMs('2m'),
      refreshMs('1h'),
      refreshMs('1d'),
      refreshMs('1w'),
      refreshMs('None'),
    ]).toEqual([15_000, 120_000, 3_600_000, 86_400_000, 604_800_000, undefined])
    expect(readRate('nonsense')).toBe('None')
  })
  test('[HEALTH-21] short rates are off for long ranges', () => {
    const off = (minutes: number) => refreshRates.filter((rate) => isRateDisabled(rate, minutes))
    expect(off(59)).toEqual([])
    expect(off(60)).toEqual(['15s', '30s'])
    expect(off(180)).toEqual(['15s', '30s', '2m', '3m'])
  })
  test('[HEALTH-22] a rate that is off falls back to the next allowed one', () => {
    expect(allowedRate('15s', 60)).toBe('60s')
    expect(allowedRate('2m', 180)).toBe('5m')
    expect(allowedRate('15s', 15)).toBe('15s')
    expect(allowedRate('None', 600)).toBe('None')
  })
})

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type CanaryRow, extraRunOf, isSuspended, planCanary, scheduleOf } from './canary.ts'
import type { CheckKind } from './kind.ts'

const kind = (key: string, type?: string): CheckKind => ({
  key,
  type,
  schema: z.object({ name: z.string(), url: z.string() }),
  templatable: true,
  endpoint: (spec) => spec.url ?? '',
  run: async () => ({ pass: true }),
})
const kinds = new Map([kind('http'), kind('kubernetesResource', 'kubernetes_resource')].map((each) => [each.key, each]))
const canary = (spec: Record<string, unknown>, more: Partial<CanaryRow> = {}): CanaryRow => ({
  id: '0190a3a0-0000-7000-8000-000000000001',
  name: 'shop',
  namespace: 'web',
  labels: null,
  annotations: null,
  source: 'UI',
  spec,
  ...more,
})

describe('taking a canary apart', () => {
  test('labels: canary, then check, then severity and owner; volatile ones are dropped', () => {
    const { checks } = planCanary(
      canary(
        {
          severity: 'high',
          owner: 'blue',
          http: [{ name: 'a', url: 'http://x', labels: { tier: 'front', team: 'two' } }],
        },
        { labels: { team: 'one', 'pod-template-hash': 'f00', 'kustomize.toolkit.fluxcd.io/name': 'x' } },
      ),
      kinds,
    )
    expect(checks[0]?.labels).toEqual({ team: 'two', tier: 'front', high: 'true', blue: 'true' })
  })

  test('the stored type differs from the key where the wire says so', () => {
    const { checks } = planCanary(
      canary({ kubernetesResource: [{ name: 'a', url: 'x' }], docker: [{ name: 'b' }] }),
      kinds,
    )
    expect(checks.map((check) => check.type)).toEqual(['kubernetes_resource', 'dockerPull'])
  })

  test('a missing name falls back to the description', () => {
    expect(planCanary(canary({ http: [{ description: 'home', url: 'x' }] }), kinds).checks[0]?.name).toBe('home')
  })

  test('an old namespace object is read as its name', () => {
    expect(
      planCanary(canary({ http: [{ name: 'a', url: 'x', namespace: { name: 'ns' } }] }), kinds).checks[0]?.namespace,
    ).toBe('ns')
  })

  test('bad input is said in words and the rest goes on', () => {
    const { checks, problems } = planCanary(
      canary({ nonsense: [{}], http: [{ name: 'a' }, 'text', {}, { name: 'b', url: 'x' }, { name: 'b', url: 'y' }] }),
      kinds,
    )
    expect(problems).toEqual([
      '"nonsense" is not a kind of check',
      'http[1] is not an object',
      'http[2] has no name',
      'two http checks are named "b"; only the first one runs',
    ])
    expect(checks.map((check) => check.name)).toEqual(['a', 'b'])
    expect(checks[0]?.problem).toMatch(/^url: /)
    expect(checks[1]?.problem).toBeUndefined()
  })
})

test('suspended by annotation or by replicas', () => {
  expect(isSuspended(canary({}, { annotations: { suspend: 'true' } }))).toBe(true)
  expect(isSuspended(canary({ replicas: 0 }))).toBe(true)
  expect(isSuspended(canary({ replicas: 1 }))).toBe(false)
})

test('schedule wins over interval; neither means on demand only', () => {
  expect(scheduleOf({ schedule: '@every 1m', interval: 5 })).toBe('@every 1m')
  expect(scheduleOf({ interval: 30 })).toBe('@every 30s')
  expect(scheduleOf({})).toBe('@never')
})

describe('one result of many', () => {
  const spec = {
    resultMode: 'junit',
    severity: 'high',
    http: [
      { name: 'a', url: 'http://a' },
      { name: 'b', url: 'http://b' },
    ],
  }
  test('a canary with resultMode junit is one check', () => {
    const { checks } = planCanary(canary(spec, { labels: { team: 'one' } }), kinds)
    expect(checks).toMatchObject([
      { type: 'junit', name: 'shop', severity: 'high', labels: { team: 'one', high: 'true' }, spec: { name: 'shop' } },
    ])
    expect(checks[0]!.raw).toEqual({ name: 'shop', resultMode: 'junit', http: spec.http })
  })
  test('any other mode means nothing, and without checks there is none', () => {
    expect(planCanary(canary({ ...spec, resultMode: 'table' }), kinds).checks).toHaveLength(2)
    expect(planCanary(canary({ resultMode: 'junit' }), kinds).checks).toEqual([])
  })
})

test('an extra run is a moment with its zone; anything else is a problem that is said', () => {
  const at = (text: string) => ({ annotations: { 'next-runtime': text } })
  expect(extraRunOf(at('2030-01-31T08:00:00Z'))?.at).toBe(Date.UTC(2030, 0, 31, 8))
  expect(extraRunOf(at('2030-01-31t08:00:00.5+02:00'))?.at).toBe(Date.UTC(2030, 0, 31, 6, 0, 0, 500))
  for (const text of ['', 'tomorrow', '2030-01-31', '2030-13-31T08:00:00Z', '2030-01-31T08:00:00'])
    expect(extraRunOf(at(text))).toBeUndefined()
  expect(extraRunOf({ annotations: null })).toBeUndefined()
  const { problems } = planCanary(canary({}, at('tomorrow')), kinds)
  expect(problems).toEqual([expect.stringMatching(/^annotation next-runtime: not a time/)])
})

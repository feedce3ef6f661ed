import { describe, expect, test } from 'vitest'
import { IncidentRuleSpec } from './incident-rules.ts'
import { LogBackendSpec, type logBackendKinds } from './log-backends.ts'
import { TopologySpec } from './topologies.ts'

describe('topologies', () => {
  test('a tree with lookups, templates and links', () => {
    const spec = {
      schedule: '@every 3m',
      icon: 'server',
      labels: { team: 'pay' },
      components: [
        {
          name: 'gateways',
          type: 'Group',
          statusExpr: "summary.unhealthy > 0 ? 'unhealthy' : 'healthy'",
          logs: [{ name: 'app', type: 'KubernetesPod', labels: { tier: 'web' } }],
          components: [
            {
              name: 'gw',
              lookup: { exec: [{ name: 'list', script: 'cat gateways.json' }] },
              forEach: {
                configs: [{ name: '$(.component.name)', types: ['Kubernetes::Deployment'] }],
                properties: [
                  { name: 'cost', type: 'currency', unit: 'eur', value: 12.5, max: 100 },
                  { name: 'home', links: [{ type: 'documentation', url: 'https://docs.test' }] },
                ],
              },
            },
          ],
          checks: [
            { selector: { labelSelector: 'app=web' } },
            { inline: { http: [{ name: 'up', url: 'http://up' }] } },
          ],
          relationships: [{ type: 'DependsOn', ref: 'other' }],
        },
      ],
      groupBy: { tag: 'cluster', selector: { types: ['Pod'] } },
    }
    expect(TopologySpec.safeParse(spec).error?.issues ?? []).toEqual([])
  })

  test('a wrong part is found however deep it is', () => {
    const wrong = { components: [{ components: [{ components: [{ lookup: { exec: [{ name: 'no script' }] } }] }] }] }
    expect(TopologySpec.safeParse(wrong).error?.issues[0]?.path.slice(0, 7)).toEqual([
      'components',
      0,
      'components',
      0,
      'components',
      0,
      'lookup',
    ])
  })
})

describe('log backends', () => {
  const right: Record<(typeof logBackendKinds)[number], object> = {
    kubernetes: { kubeconfig: { valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }, namespace: 'web' },
    file: { path: ['/var/log/*.log'], labels: { host: 'a' } },
    elasticsearch: { cloud_id: 'x', api_key: 'y', index: 'logs-*', fields: { message: 'msg', exclusions: ['_id'] } },
    opensearch: { address: 'http://o:9200', index: 'logs', username: 'u', password: { value: 'p' }, query: '{}' },
    cloudwatch: { log_group: '/aws/x', auth: { region: 'eu-west-1' }, routes: [{ type: 'EC2', is_additive: true }] },
  }

  test.each(Object.entries(right))('%s', (kind, backend) => {
    expect(LogBackendSpec.safeParse({ backends: [{ [kind]: backend }] }).error?.issues ?? []).toEqual([])
    expect(LogBackendSpec.safeParse({ backends: [{ [kind]: { ...backend, typo: 1 } }] }).success).toBe(false)
  })

  test('one place each', () => {
    expect(LogBackendSpec.safeParse({ backends: [{ file: right.file, opensearch: right.opensearch }] }).success).toBe(
      false,
    )
  })
})

test('a rule with everything the engine may use', () => {
  const spec = {
    name: 'down',
    components: [{ types: ['Group'] }],
    filter: { status: ['unhealthy'], age: '10m' },
    template: { type: 'availability', severity: 'High', commander_id: '0190f3aa-0000-7000-8000-00000000000b' },
    breakOnMatch: true,
    autoResolve: { timeout: '1h' },
    hoursOfOperation: [{ start: '08:00', end: '18:00' }],
    responders: { email: [{ to: 'a@b.test' }] },
  }
  expect(IncidentRuleSpec.safeParse(spec).error?.issues ?? []).toEqual([])
  expect(IncidentRuleSpec.safeParse({ autoResolve: { timeout: 'soon' } }).success).toBe(false)
})

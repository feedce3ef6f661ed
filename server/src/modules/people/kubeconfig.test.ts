import { expect, test } from 'vitest'
import { kubeconfig, tenantOf } from './kubeconfig.ts'

test.each([
  ['https://acme.example.test/api', 'acme'],
  ['http://localhost:3000/api', 'localhost'],
  ['http://127.0.0.1:3000', '127-0-0-1'],
  ['http://[::1]:3000', '1'],
])('the tenant of %s is %s', (api, tenant) => expect(tenantOf(api)).toBe(tenant))

test('the file is plain YAML whatever the token', () => {
  expect(kubeconfig({ api: 'https://acme.example.test/api', token: 'a.b:c#d' })).toMatchInlineSnapshot(`
    "apiVersion: v1
    kind: Config
    clusters:
      - name: mission-control-acme
        cluster:
          server: https://acme.example.test/api/kubeproxy
    users:
      - name: mission-control-acme
        user:
          username: token
          password: a.b:c#d
    contexts:
      - name: default
        context:
          cluster: mission-control-acme
          user: mission-control-acme
    current-context: default
    "
  `)
})

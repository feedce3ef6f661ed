import { expect, test } from 'vitest'
import { clean } from './clean.ts'

const secret = (value: string, written: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'db',
    managedFields: [
      { manager: 'a', time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:data': { 'f:user': {} } } },
      { manager: 'b', time: written, fieldsV1: { 'f:data': { '.': {}, 'f:password': {} } } },
    ],
  },
  data: { user: 'YWRh', password: Buffer.from(value).toString('base64'), other: 'eA==' },
  stringData: { plain: 'hunter2' },
})

test('a secret that is written anew shows as a change without showing itself', () => {
  const before = clean(secret('one-password', '2026-02-01T00:00:00Z'))
  const after = clean(secret('two-password', '2026-03-01T00:00:00Z'))
  expect(before).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'db' },
    data: { user: '*** since 2026-01-01T00:00:00Z', password: '*** since 2026-02-01T00:00:00Z', other: '***' },
    stringData: { plain: '***' },
  })
  expect(after).not.toEqual(before)
})

test('passwords written into pods and templates are masked, addresses and references are not', () => {
  const env = () => [
    { name: 'DB_PASSWORD', value: 'a' },
    { name: 'apiKey', value: 'b' },
    { name: 'TOKEN_URL', value: 'https://c' },
    { name: 'CLIENT_SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    { name: 'EMPTY_TOKEN', value: '' },
  ]
  const masked = ['***', '***', 'https://c', undefined, '']
  const pod = () => ({ containers: [{ env: env() }], initContainers: [{ env: env() }] })
  const values = (spec: ReturnType<typeof pod>) =>
    [spec.containers, spec.initContainers].map(([one]) => one!.env.map(({ value }) => value))
  const [inPod, inTemplate, inCron] = [pod(), pod(), pod()]
  clean({ kind: 'Pod', spec: inPod })
  clean({ kind: 'Deployment', spec: { template: { spec: inTemplate } } })
  clean({ kind: 'CronJob', spec: { jobTemplate: { spec: { template: { spec: inCron } } } } })
  for (const spec of [inPod, inTemplate, inCron]) expect(values(spec)).toEqual([masked, masked])
})

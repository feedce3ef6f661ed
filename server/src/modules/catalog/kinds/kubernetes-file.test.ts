import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { clusterDump } from '../../../testing/kube-api/dump.ts'
import { serveExec } from '../../../testing/kube-api/exec.ts'
import { KubeApi } from '../../../testing/kube-api/kube-api.ts'
import { kubernetesFile } from './kubernetes-file.ts'
import { aRun, scrapeAll } from './testing.ts'

vi.setConfig({ testTimeout: 30_000 })
const dump = clusterDump({ teams: 2, services: 1, nodes: 1 })
const uid = (kind: string, name: string) =>
  dump.find((each) => each.kind === kind && each.metadata.name === name)!.metadata.uid
const api = new KubeApi()
let folder: string
const containers: (string | null)[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qd-pod-files-'))
  await mkdir(join(folder, 'etc/app/conf.d'), { recursive: true })
  await writeFile(join(folder, 'etc/app/app.yaml'), 'name: shop\nport: 80\n')
  await writeFile(join(folder, 'etc/app/conf.d/a.json'), '{"a": 1}')
  await writeFile(join(folder, 'etc/app/conf.d/b c.json'), '{"b": 2}')
  await writeFile(join(folder, 'etc/app/large.json'), `"${'x'.repeat(200_000)}"`)
  await api.start()
  for (const object of dump) api.store.put(object)
  serveExec(api, ({ container }) => {
    containers.push(container)
    return folder
  })
})
afterAll(async () => {
  api.close()
  await rm(folder, { recursive: true, force: true })
})
const scrapeOf = (more: object) => scrapeAll(kubernetesFile, { kubeconfig: api.kubeconfig(), ...more }, aRun())

test('files of a deployment are read in one of its pods, patterns filled in by its shell', async () => {
  const all = await scrapeOf({
    selector: { kind: 'Deployment', name: 'app-1', namespace: 'team-1' },
    container: 'main',
    files: [{ path: ['/etc/app/app.yaml', '/etc/app/conf.d/*.json'] }, { path: '/etc/app/large.json', format: 'text' }],
  })
  expect(all.failure).toBeUndefined()
  expect(all.errors).toEqual([])
  expect(all.items.map(({ id, format }) => [id, format])).toEqual([
    ['team-1/Deployment/app-1/etc/app/app.yaml', 'yaml'],
    ['team-1/Deployment/app-1/etc/app/conf.d/a.json', 'json'],
    ['team-1/Deployment/app-1/etc/app/conf.d/b c.json', 'json'],
    ['team-1/Deployment/app-1/etc/app/large.json', 'text'],
  ])
  expect(all.items[0]).toMatchObject({
    type: 'File',
    name: 'app.yaml',
    config: 'name: shop\nport: 80\n',
    tags: { namespace: 'team-1' },
    parents: [{ externalId: uid('Deployment', 'app-1'), type: 'Kubernetes::Deployment' }],
  })
  expect(all.items[3]!.config).toHaveLength(200_002)
  expect(new Set(containers)).toEqual(new Set(['main']))
})

test('pods by label; what is not there is told and the rest is read', async () => {
  const all = await scrapeOf({
    selector: { labelSelector: 'app=db', namespace: 'team-2' },
    files: [{ path: ['/etc/nothing', '/etc/app/app.yaml'] }],
  })
  expect(all.items.map(({ id }) => id)).toEqual([
    'team-2/Pod/db-0/etc/app/app.yaml',
    'team-2/Pod/db-1/etc/app/app.yaml',
  ])
  expect(all.errors).toHaveLength(2)
  expect(all.errors[0]).toMatchObject({
    item: 'team-2/Pod/db-0/etc/nothing',
    message: expect.stringContaining('No such file'),
  })
  const none = await scrapeOf({ selector: { name: 'nobody' }, files: [{ path: '/x' }] })
  expect(none.errors).toEqual([{ message: 'no Pod fits the selector', item: 'nobody' }])
  expect(
    (
      await scrapeOf({
        selector: { kind: 'Deployment', name: 'app-1', namespace: 'team-1' },
        files: [{ path: 'relative' }],
      })
    ).errors[0]!.message,
  ).toBe('"relative" is not an absolute path')
})

test('a pod that may not be entered, and a pattern that would be a command', async () => {
  const other = await new KubeApi().start()
  try {
    for (const object of dump) other.store.put(object)
    serveExec(other, () => undefined)
    const all = await scrapeAll(
      kubernetesFile,
      {
        kubeconfig: other.kubeconfig(),
        selector: { name: 'db-0', namespace: 'team-1' },
        files: [{ path: '/etc/app/app.yaml' }],
      },
      aRun(),
    )
    expect(all.errors).toEqual([{ item: 'team-1/Pod/db-0', message: 'the pod team-1/db-0 cannot be entered' }])
  } finally {
    other.close()
  }
  const path = '/etc/*; touch /tmp/quarterdeck-should-not-be; $(touch /tmp/quarterdeck-should-not-be)'
  const all = await scrapeOf({ selector: { name: 'db-0', namespace: 'team-1' }, files: [{ path }] })
  expect(all.items).toEqual([])
  await expect(import('node:fs/promises').then(({ stat }) => stat('/tmp/quarterdeck-should-not-be'))).rejects.toThrow(
    'ENOENT',
  )
})

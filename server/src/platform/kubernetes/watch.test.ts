import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import type { Context } from '../../context.ts'
import { type ApiResource, Cluster, KubernetesError } from './client.ts'
import type { KubernetesObject } from './object.ts'
import { watch } from './watch.ts'

const pods: ApiResource = { kind: 'Pod', name: 'pods', namespaced: true, base: '/api/v1' }
const asked: string[] = []
let streams: ServerResponse[] = []
let lists = 0
const pod = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } })

const api = createServer((request, response) => {
  const url = new URL(request.url!, 'http://x')
  asked.push(`${url.pathname}${url.search}`)
  if (request.headers.authorization !== 'Bearer t') return response.writeHead(403).end('{"message":"no"}')
  if (url.searchParams.get('watch')) {
    streams.push(response)
    return response.writeHead(200)
  }
  lists++
  if (!url.searchParams.get('continue'))
    return response.end(JSON.stringify({ metadata: { continue: 'page2' }, items: [pod('a', '1')] }))
  return response.end(JSON.stringify({ metadata: { resourceVersion: String(lists * 10) }, items: [pod('b', '2')] }))
})
let cluster: Cluster
beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  cluster = new Cluster({ config: readConfig({}) } as Context, { server, token: 't', namespace: 'default' })
})
afterAll(() => {
  api.closeAllConnections()
  api.close()
})
const send = (event: unknown) => streams.at(-1)!.write(`${JSON.stringify(event)}\n`)
const streamed = (count: number) => expect.poll(() => streams.length, { timeout: 5_000 }).toBe(count)

test('lists page by page, hears changes, goes on where it was, and lists anew when the thread is lost', async () => {
  streams = []
  const seen: string[] = []
  const stop = new AbortController()
  const names = (objects: KubernetesObject[]) =>
    objects.map((object) => (object.metadata as { name: string }).name).join('+')
  const done = watch(cluster, pods, {
    namespace: 'shop',
    labelSelector: 'app=web',
    signal: stop.signal,
    onList: (objects) => void seen.push(`list ${names(objects)}`),
    onChange: (change, object) => void seen.push(`${change} ${names([object])}`),
  })
  await streamed(1)
  send({ type: 'ADDED', object: pod('c', '21') })
  send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '25' } } })
  streams.at(-1)!.end()
  await streamed(2)
  expect(asked.at(-1)).toContain('resourceVersion=25')
  expect(asked.at(-1)).toContain('/api/v1/namespaces/shop/pods')
  expect(asked.at(-1)).toContain('labelSelector=app%3Dweb')
  send({ type: 'ERROR', object: { code: 410, message: 'too old' } })
  await streamed(3)
  send({ type: 'DELETED', object: pod('c', '31') })
  await expect.poll(() => seen.length).toBe(4)
  expect(seen).toEqual(['list a+b', 'ADDED c', 'list a+b', 'DELETED c'])
  stop.abort()
  await done
})

test('failures are told with the words of the cluster', async () => {
  const stranger = new Cluster({ config: readConfig({}) } as Context, { ...cluster.address, token: 'wrong' })
  const stop = new AbortController()
  const error = await new Promise((resolve) => {
    void watch(stranger, pods, { signal: stop.signal, onList: () => {}, onChange: () => {}, onError: resolve })
  })
  stop.abort()
  expect(error).toBeInstanceOf(KubernetesError)
  expect(error).toMatchObject({ status: 403, message: 'no' })
})

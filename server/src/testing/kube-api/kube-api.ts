import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { baseOf, servedKinds, type ServedKind, usualVerbs, versionOf } from './kinds.ts'
import { fitsFields, fitsLabels } from './selectors.ts'
import { type Change, type KubeObject, KubeStore } from './store.ts'

interface Stream {
  kind: ServedKind
  response: ServerResponse
}

/**
 * A Kubernetes API server for tests: discovery, lists in pages that hold together and may expire, watches with bookmarks
 * that may be too old, refusals per kind, and lines that break. Speaks as the real one does.
 */
export class KubeApi {
  readonly store: KubeStore
  /** Method and address of everything that was asked. */
  readonly asked: string[] = []
  readonly streams: Stream[] = []
  readonly token = 'kube-token-4711'
  private readonly forbidden = new Map<string, string[]>()
  private readonly broken = new Map<string, number>()
  private readonly pages = new Map<string, { list: KubeObject[]; version: number }>()
  /** Objects per page at most, whatever the client asks for. */
  pageSize = 500
  private expiring = 0
  private failing = 0
  private server: Server | undefined
  url = ''

  constructor(kinds: readonly ServedKind[] = servedKinds) {
    this.store = new KubeStore(kinds)
  }

  async start(): Promise<this> {
    this.server = createServer((request, response) => this.answer(request, response))
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    return this
  }

  close(): void {
    this.server?.closeAllConnections()
    this.server?.close()
  }

  /** For requests that become a line in both directions. */
  onUpgrade(listener: (request: IncomingMessage, socket: Duplex) => void): void {
    this.server!.on('upgrade', listener)
  }

  kubeconfig(namespace = 'default'): string {
    return [
      'current-context: c',
      `contexts: [{ name: c, context: { cluster: k, user: u, namespace: ${namespace} } }]`,
      `clusters: [{ name: k, cluster: { server: '${this.url}' } }]`,
      `users: [{ name: u, user: { token: ${this.token} } }]`,
      '',
    ].join('\n')
  }

  /** Who reads may not do this with a kind. */
  forbid(name: string, verbs: string[] = ['list', 'watch']): void {
    this.forbidden.set(name, verbs)
  }
  allow = (name: string): boolean => this.forbidden.delete(name)

  /** The next lists forget themselves after the first page. */
  expirePages(times = 1): void {
    this.expiring = times
  }
  /** The next requests are answered with 503. */
  fail(times: number): void {
    this.failing = times
  }
  /** An extension API that answers 503 when asked what it has. */
  breakGroup(groupVersion: string): void {
    this.broken.set(groupVersion, 503)
  }

  /** Breaks the lines of a kind without a word, as a network does. */
  disconnect(name: string): void {
    for (const { response } of this.take(name)) response.destroy()
  }
  /** Ends the streams of a kind politely. */
  endStreams(name: string): void {
    for (const { response } of this.take(name)) response.end()
  }
  bookmark(name: string): void {
    for (const { kind, response } of this.streams.filter((each) => each.kind.name === name)) {
      const metadata = { resourceVersion: String(this.store.version), creationTimestamp: null }
      send(response, { type: 'BOOKMARK', object: { kind: kind.kind, apiVersion: versionOf(kind), metadata } })
    }
  }
  /** Everything before now is forgotten, and running watches are told so. */
  gone(name: string): void {
    this.store.forget()
    for (const { response } of this.take(name)) {
      send(response, { type: 'ERROR', object: status(410, 'Expired', 'too old resource version') })
      response.end()
    }
  }
  watching = (name: string): number => this.streams.filter(({ kind }) => kind.name === name).length

  private take(name: string): Stream[] {
    const taken = this.streams.filter(({ kind }) => kind.name === name)
    for (const stream of taken) this.streams.splice(this.streams.indexOf(stream), 1)
    return taken
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, 'http://cluster')
    this.asked.push(`${request.method} ${url.pathname}${url.search}`)
    if (request.headers.authorization !== `Bearer ${this.token}`)
      return refuse(response, 401, 'Unauthorized', 'Unauthorized')
    if (this.failing > 0) {
      this.failing--
      return refuse(response, 503, 'ServiceUnavailable', 'the server is currently unable to handle the request')
    }
    const discovery = this.discovery(url.pathname)
    if (discovery === null) return refuse(response, 503, 'ServiceUnavailable', 'the API group is not available')
    if (discovery) return json(response, 200, discovery)
    const found = this.placeOf(url.pathname)
    if (!found) return refuse(response, 404, 'NotFound', 'the server could not find the requested resource')
    const { kind, namespace, name } = found
    const isWatch = url.searchParams.get('watch') === 'true'
    const verb = isWatch ? 'watch' : name ? 'get' : 'list'
    if (!(kind.verbs ?? usualVerbs).includes(verb))
      return refuse(
        response,
        405,
        'MethodNotAllowed',
        'the server does not allow this method on the requested resource',
      )
    if (this.forbidden.get(kind.name)?.includes(verb)) {
      const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope'
      const words = `${kind.name} is forbidden: User "system:serviceaccount:monitoring:scraper" cannot ${verb} resource "${kind.name}" in API group "${kind.group}" ${where}`
      return refuse(response, 403, 'Forbidden', words)
    }
    if (isWatch) return this.watch(kind, namespace, url.searchParams, response)
    if (!name) return this.list(kind, namespace, url.searchParams, response)
    const object = this.store.get(kind, namespace, name)
    if (!object) return refuse(response, 404, 'NotFound', `${kind.name} "${name}" not found`)
    json(response, 200, object)
  }

  private discovery(path: string): object | null | undefined {
    const { kinds } = this.store
    if (path === '/version') return { major: '1', minor: '31', gitVersion: 'v1.31.4', platform: 'linux/arm64' }
    if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
    if (path === '/apis') {
      const groups = new Map(kinds.filter(({ group }) => group).map((kind) => [kind.group, kind]))
      const versions = ({ version }: ServedKind, group: string) => ({ groupVersion: `${group}/${version}`, version })
      return {
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: [...groups].map(([name, kind]) => ({
          name,
          versions: [versions(kind, name)],
          preferredVersion: versions(kind, name),
        })),
      }
    }
    const inside = kinds.filter((kind) => baseOf(kind) === path)
    if (inside.length === 0) return undefined
    if (this.broken.has(versionOf(inside[0]!))) return null
    const resources = inside.flatMap(({ name, kind, namespaced, verbs = usualVerbs }) => [
      { name, singularName: kind.toLowerCase(), namespaced, kind, verbs },
      { name: `${name}/status`, singularName: '', namespaced, kind, verbs: ['get', 'patch', 'update'] },
    ])
    return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: versionOf(inside[0]!), resources }
  }

  private placeOf(path: string): { kind: ServedKind; namespace?: string; name?: string } | undefined {
    for (const kind of this.store.kinds) {
      const base = baseOf(kind)
      if (!path.startsWith(`${base}/`)) continue
      const parts = path
        .slice(base.length + 1)
        .split('/')
        .map(decodeURIComponent)
      if (parts[0] === 'namespaces' && parts[2] === kind.name && kind.namespaced)
        return { kind, namespace: parts[1], name: parts[3] }
      if (parts[0] === kind.name && parts.length <= 2) return { kind, name: parts[1] }
    }
    return undefined
  }

  private list(
    kind: ServedKind,
    namespace: string | undefined,
    query: URLSearchParams,
    response: ServerResponse,
  ): void {
    const token = query.get('continue')
    const limit = Math.min(Number(query.get('limit') ?? 0) || Number.POSITIVE_INFINITY, this.pageSize)
    let page: { list: KubeObject[]; version: number }
    let start = 0
    if (token) {
      const at = token.lastIndexOf('.')
      const kept = this.pages.get(token.slice(0, at))
      if (!kept)
        return refuse(
          response,
          410,
          'Expired',
          'The provided continue parameter is too old to display a consistent list',
        )
      page = kept
      start = Number(token.slice(at + 1))
    } else {
      const list: KubeObject[] = []
      for (const object of this.store.list(kind, namespace)) {
        const fields = fitsFields(object, kind.kind, query.get('fieldSelector'))
        if (fields === undefined)
          return refuse(response, 400, 'BadRequest', `field label not supported: ${query.get('fieldSelector')}`)
        if (fields && fitsLabels(object, query.get('labelSelector'))) list.push(object)
      }
      page = { list, version: this.store.version }
    }
    // Without a limit there is one page, however long.
    const size = query.has('limit') ? limit : Number.POSITIVE_INFINITY
    const metadata: Record<string, unknown> = { resourceVersion: String(page.version) }
    if (start + size < page.list.length) {
      const name = `${kind.name}-${page.version}`
      if (this.expiring > 0) this.expiring--
      else this.pages.set(name, page)
      metadata.continue = `${name}.${start + size}`
      metadata.remainingItemCount = page.list.length - start - size
    }
    const items = page.list.slice(start, start + size).map(({ apiVersion: _, kind: __, ...rest }) => rest)
    json(response, 200, { kind: `${kind.kind}List`, apiVersion: versionOf(kind), metadata, items })
  }

  private watch(
    kind: ServedKind,
    namespace: string | undefined,
    query: URLSearchParams,
    response: ServerResponse,
  ): void {
    const from = Number(query.get('resourceVersion') ?? 0)
    response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
    response.flushHeaders()
    if (from !== 0 && from < this.store.oldest) {
      send(response, { type: 'ERROR', object: status(410, 'Expired', `too old resource version: ${from}`) })
      return void response.end()
    }
    const hear = ({ kind: of, type, object }: Change) => {
      if (of !== kind || (namespace && object.metadata.namespace !== namespace)) return
      if (!fitsLabels(object, query.get('labelSelector'))) return
      send(response, { type, object: { apiVersion: versionOf(kind), kind: kind.kind, ...object } })
    }
    this.store.since(from).forEach(hear)
    const stream = { kind, response }
    this.streams.push(stream)
    const stop = this.store.listen(hear)
    response.once('close', () => {
      stop()
      if (this.streams.includes(stream)) this.streams.splice(this.streams.indexOf(stream), 1)
    })
  }
}

const status = (code: number, reason: string, message: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason,
  code,
})
const send = (response: ServerResponse, event: object): void => void response.write(`${JSON.stringify(event)}\n`)
const json = (response: ServerResponse, code: number, body: object): void =>
  void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const refuse = (response: ServerResponse, code: number, reason: string, message: string): void =>
  json(response, code, status(code, reason, message))

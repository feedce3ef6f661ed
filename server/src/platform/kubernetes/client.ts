import { setMaxListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Dispatcher } from 'undici'
import { parse } from 'yaml'
import type { Context } from '../../context.ts'
import { dialerOf, type TlsOptions } from '../network/dialer.ts'
import { type KubernetesObject, record, records, word } from './object.ts'

/** Where an API server is and who we are there. */
export interface ClusterAddress {
  server: string
  tls?: TlsOptions
  token?: string
  basic?: { username: string; password: string }
  namespace: string
  /** Read again before each use: mounted tokens are renewed. */
  tokenFile?: string
}

export interface ApiResource {
  kind: string
  name: string
  namespaced: boolean
  /** `/api/v1` or `/apis/apps/v1` */
  base: string
  /** What may be done with it; absent where nobody asked the cluster. */
  verbs?: string[]
}

/** What kinds a cluster has, and which extension APIs could not say. */
export interface Discovery {
  resources: ApiResource[]
  failures: { base: string; message: string }[]
}

export interface ListOptions {
  namespace?: string
  labelSelector?: string
  fieldSelector?: string
  signal?: AbortSignal
}

export interface Page {
  objects: KubernetesObject[]
  /** Of the whole list: where a watch goes on. */
  resourceVersion: string
}

export class KubernetesError extends Error {
  override name = 'KubernetesError'
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message)
  }
}

const account = '/var/run/secrets/kubernetes.io/serviceaccount'
const resourcesKeptMs = 10 * 60_000
const maxAnswer = 64 * 1024 * 1024
const pageSize = 500

/** A small client of the Kubernetes API: plain requests, and what kinds of objects there are. */
export class Cluster {
  private known: { until: number; found: Promise<Discovery> } | undefined

  constructor(
    private readonly ctx: Context,
    readonly address: ClusterAddress,
  ) {}

  async request(
    method: string,
    path: string,
    body?: unknown,
    options: { signal?: AbortSignal; patch?: string } = {},
  ): Promise<unknown> {
    const text = await this.text(method, path, body, options)
    return text === '' ? {} : JSON.parse(text)
  }

  /** The answer as it is, for logs. */
  async text(
    method: string,
    path: string,
    body?: unknown,
    { signal, patch }: { signal?: AbortSignal; patch?: string } = {},
  ): Promise<string> {
    const { server, tls } = this.address
    const url = new URL(server.replace(/\/$/, '') + path)
    const answer = await dialerOf(this.ctx)
      .dispatcher({ tls })
      .request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as 'GET',
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': patch ?? 'application/json' }),
          ...(await this.authorization()),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: signal ?? AbortSignal.timeout(30_000),
      })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      if ((size += chunk.length) > maxAnswer) throw new KubernetesError('the answer of the cluster is too large', 413)
    }
    const text = Buffer.concat(chunks).toString('utf8')
    if (answer.statusCode > 299) throw new KubernetesError(reasonOf(text, answer.statusCode), answer.statusCode)
    return text
  }

  /** The lines of an answer that does not end, as watches and followed logs give them. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const { server, tls } = this.address
    const url = new URL(server.replace(/\/$/, '') + path)
    const answer = await dialerOf(this.ctx)
      .dispatcher({ tls })
      .request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { accept: 'application/json', ...(await this.authorization()) },
        signal,
        bodyTimeout: 0,
      })
    if (answer.statusCode > 299) {
      const text = (await answer.body.text()).slice(0, 10_000)
      throw new KubernetesError(reasonOf(text, answer.statusCode), answer.statusCode)
    }
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop()!
      if (rest.length > maxAnswer) throw new KubernetesError('a line of the cluster is too long', 413)
      yield* lines.filter((line) => line !== '')
    }
    if (rest !== '') yield rest
  }

  /** What a line in both directions needs to be opened. */
  async line(path: string): Promise<{ url: URL; dispatcher: Dispatcher; headers: Record<string, string> }> {
    const { server, tls } = this.address
    const url = new URL(server.replace(/\/$/, '') + path)
    url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:'
    return { url, dispatcher: dialerOf(this.ctx).dispatcher({ tls }), headers: await this.authorization() }
  }

  private async authorization(): Promise<Record<string, string>> {
    const { token, tokenFile, basic } = this.address
    const bearer = tokenFile ? (await readFile(tokenFile, 'utf8')).trim() : token
    if (bearer) return { authorization: `Bearer ${bearer}` }
    if (!basic) return {}
    return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` }
  }

  /** Every kind of object the cluster knows. */
  async resources(signal?: AbortSignal): Promise<ApiResource[]> {
    return (await this.discovery(signal)).resources
  }

  /** The same with what could not be asked; kept for a while unless `fresh`. */
  discovery(signal?: AbortSignal, { fresh = false } = {}): Promise<Discovery> {
    if (fresh || !this.known || this.known.until < Date.now()) {
      const found = this.discover(signal)
      this.known = { until: Date.now() + resourcesKeptMs, found }
      found.catch(() => (this.known = undefined))
    }
    return this.known.found
  }

  private async discover(signal?: AbortSignal): Promise<Discovery> {
    // Every request in flight listens to the one signal.
    if (signal) setMaxListeners(0, signal)
    const groups = records(record(await this.request('GET', '/apis', undefined, { signal })).groups)
    const bases = ['/api/v1', ...groups.map((group) => `/apis/${word(record(group.preferredVersion).groupVersion)}`)]
    const failures: Discovery['failures'] = []
    const lists = await Promise.all(
      bases.map(async (base) => {
        // One broken extension API must not hide all the others.
        const list = await this.request('GET', base, undefined, { signal }).catch((error: unknown) => {
          if (base === '/api/v1' || signal?.aborted) throw error
          failures.push({ base, message: (error as Error).message })
          return {}
        })
        return records(record(list).resources)
          .filter((each) => !word(each.name).includes('/'))
          .map((each) => ({
            kind: word(each.kind),
            name: word(each.name),
            namespaced: each.namespaced === true,
            base,
            verbs: Array.isArray(each.verbs) ? each.verbs.map(word) : undefined,
          }))
      }),
    )
    return { resources: lists.flat(), failures }
  }

  /** Finds a kind by `Pod`, `pods`, `Deployment.apps` or `apps/v1/Deployment`. */
  async resourceOf(kind: string, apiVersion?: string, signal?: AbortSignal): Promise<ApiResource> {
    const parts = kind.split('/')
    const wanted = apiVersion ?? (parts.length > 1 ? parts.slice(0, -1).join('/') : undefined)
    const [name = '', ...group] = parts.at(-1)!.split('.')
    const base = wanted === undefined ? undefined : wanted === 'v1' ? '/api/v1' : `/apis/${wanted}`
    const fits = (each: ApiResource) =>
      (each.kind.toLowerCase() === name.toLowerCase() || each.name === name.toLowerCase()) &&
      (base === undefined || each.base === base) &&
      (group.length === 0 || each.base.startsWith(`/apis/${group.join('.')}/`))
    const found = (await this.resources(signal)).find(fits)
    if (found) return found
    if (base) {
      const list = records(record(await this.request('GET', base, undefined, { signal })).resources)
      const each = list.find((one) => word(one.kind) === name && !word(one.name).includes('/'))
      if (each) return { kind: name, name: word(each.name), namespaced: each.namespaced === true, base }
    }
    throw new KubernetesError(`the cluster knows no kind "${kind}"`, 404)
  }

  /** All pages of a list. */
  async list(resource: ApiResource, options: ListOptions = {}): Promise<KubernetesObject[]> {
    const items = new Map<string, KubernetesObject>()
    for await (const { objects } of this.pages(resource, options))
      for (const object of objects) items.set(identity(object), object)
    return [...items.values()]
  }

  /**
   * A list page by page. When the cluster forgets the list between two pages, it is read again from its beginning and
   * in one piece: objects may then come twice.
   */
  async *pages(resource: ApiResource, options: ListOptions = {}): AsyncGenerator<Page> {
    const { namespace, labelSelector, fieldSelector, signal } = options
    const apiVersion = resource.base.replace(/^\/apis?\//, '')
    const query = new URLSearchParams({ limit: String(pageSize) })
    if (labelSelector) query.set('labelSelector', labelSelector)
    if (fieldSelector) query.set('fieldSelector', fieldSelector)
    for (;;) {
      const path = `${pathOf(resource, namespace)}?${query.toString()}`
      let page: Record<string, unknown>
      try {
        page = record(await this.request('GET', path, undefined, { signal }))
      } catch (error) {
        if (!(error instanceof KubernetesError) || error.status !== 410 || !query.has('continue')) throw error
        query.delete('continue')
        query.delete('limit')
        continue
      }
      const { continue: next, resourceVersion } = record(page.metadata)
      const objects = records(page.items).map((item) => ({ apiVersion, kind: resource.kind, ...item }))
      yield { objects, resourceVersion: word(resourceVersion) }
      if (!word(next)) return
      query.set('continue', word(next))
    }
  }
}

/** The same object of two lists has the same one. */
function identity({ metadata }: KubernetesObject): string {
  const { uid, namespace, name } = record(metadata)
  return word(uid) || `${word(namespace)}/${word(name)}`
}

export function pathOf(resource: ApiResource, namespace?: string, name?: string): string {
  const scope = resource.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${resource.base}${scope}/${resource.name}${name ? `/${encodeURIComponent(name)}` : ''}`
}

function reasonOf(text: string, status: number): string {
  try {
    return word(record(JSON.parse(text)).message) || `the cluster answered ${status}`
  } catch {
    return `the cluster answered ${status}`
  }
}

/** Without the lines around a mistake: the text may be any file of the server that somebody named. */
function yamlOf(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' })
  } catch (error) {
    // oxlint-disable-next-line preserve-caught-error -- the parser quotes the file, which holds secrets
    throw new Error('the kubeconfig is not YAML', { cause: (error as { code?: string }).code })
  }
}

/** The current context of a kubeconfig. Programs that make tokens are not run. */
export function parseKubeconfig(text: string): ClusterAddress {
  const config = record(yamlOf(text))
  const named = (list: unknown, name: string, key: string) =>
    record(records(list).find((each) => each.name === name)?.[key])
  const context = named(config.contexts, word(config['current-context']), 'context')
  const cluster = named(config.clusters, word(context.cluster), 'cluster')
  const user = named(config.users, word(context.user), 'user')
  const server = word(cluster.server)
  if (!server) throw new Error('the kubeconfig has no current context with a server')
  if (user.exec || user['auth-provider'])
    throw new Error('the kubeconfig runs a program to sign in, which is not supported; use a token or a certificate')
  const pem = (value: unknown) => (word(value) ? Buffer.from(word(value), 'base64').toString('utf8') : undefined)
  const tls: TlsOptions = {}
  const ca = pem(cluster['certificate-authority-data'])
  const cert = pem(user['client-certificate-data'])
  const key = pem(user['client-key-data'])
  if (ca) tls.ca = ca
  if (cert) tls.cert = cert
  if (key) tls.key = key
  if (cluster['insecure-skip-tls-verify'] === true) tls.rejectUnauthorized = false
  if (word(cluster['tls-server-name'])) tls.servername = word(cluster['tls-server-name'])
  const basic = word(user.username) ? { username: word(user.username), password: word(user.password) } : undefined
  const namespace = word(context.namespace) || 'default'
  return {
    server,
    tls,
    token: word(user.token) || undefined,
    tokenFile: word(user.tokenFile) || undefined,
    basic,
    namespace,
  }
}

async function localAddress(): Promise<ClusterAddress> {
  const mounted = await readFile(`${account}/ca.crt`, 'utf8').catch(() => undefined)
  if (mounted !== undefined) {
    const namespace = await readFile(`${account}/namespace`, 'utf8').catch(() => 'default')
    return {
      server: 'https://kubernetes.default.svc',
      tls: { ca: mounted },
      tokenFile: `${account}/token`,
      namespace: namespace.trim(),
    }
  }
  const own = await readFile(join(homedir(), '.kube/config'), 'utf8').catch(() => undefined)
  if (own === undefined)
    throw new Error('no Kubernetes cluster is known: there is no service account and no ~/.kube/config')
  return parseKubeconfig(own)
}

const clusters = new WeakMap<Context, Map<string, Promise<Cluster>>>()

/** The cluster of a kubeconfig (its text, or a path to it), or the one this server runs in. */
export function clusterFor(ctx: Context, kubeconfig?: string): Promise<Cluster> {
  let known = clusters.get(ctx)
  if (!known) clusters.set(ctx, (known = new Map()))
  const key = kubeconfig ?? ''
  let cluster = known.get(key)
  if (!cluster) {
    if (known.size > 100) known.clear()
    cluster = addressOf(kubeconfig).then((address) => new Cluster(ctx, address))
    cluster.catch(() => known.delete(key))
    known.set(key, cluster)
  }
  return cluster
}

async function addressOf(kubeconfig: string | undefined): Promise<ClusterAddress> {
  if (!kubeconfig) return localAddress()
  // One line without braces is the name of a file.
  return parseKubeconfig(/[\n{]/.test(kubeconfig) ? kubeconfig : await fileOf(kubeconfig))
}

async function fileOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    // A kubeconfig that was cut to one line is a secret; the name of a file is not worth the risk.
    const { code } = error as NodeJS.ErrnoException
    // oxlint-disable-next-line preserve-caught-error -- its words hold what was taken for a path
    throw new Error(`the kubeconfig is neither YAML nor a file that this server can read (${code ?? 'unreadable'})`)
  }
}

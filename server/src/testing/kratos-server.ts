import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface KratosAccount {
  id: string
  password: string
  state: 'active' | 'inactive'
  traits: { email: string; name?: { first?: string; last?: string } } & Record<string, unknown>
  verified: boolean
  /** Whether a second factor is set up, which whoami then asks for. */
  secondFactor?: boolean
}

interface Flow {
  id: string
  kind: string
  type: 'browser' | 'api'
  csrf: string
  expires: number
  returnTo?: string
  messages: object[]
  account?: KratosAccount
}
interface Session {
  id: string
  account: KratosAccount
  token: string
  logout: string
}
interface Visit {
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  cookies: Map<string, string>
  body: Record<string, unknown>
  json: boolean
  session: Session | undefined
}

const csrfCookie = 'csrf_token_82b119fa58a0a1cb6faa9738c1d0dbbf04fcc89a657b7beb31fcde400ced48ab'
const sessionCookie = 'ory_kratos_session'

/**
 * Speaks the public API of Ory Kratos as its reference describes it: flows for browsers and scripts, cookies, redirects,
 * error ids. Knows nothing of our own flows. For tests.
 */
export class KratosServer {
  url = ''
  /** What Kratos believes its own address to be; its own one unless set. */
  baseUrl: string | undefined
  /** Domain attribute of its cookies. */
  cookieDomain: string | undefined
  uiUrl = 'http://console.example.test'
  /** Answers everything with this status, as a server in trouble does. */
  broken: number | undefined
  readonly accounts: KratosAccount[] = []
  readonly seen: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[] = []
  private readonly flows = new Map<string, Flow>()
  private readonly sessions: Session[] = []
  private server: Server | undefined

  async start(port = 0): Promise<this> {
    this.server = createServer((request, response) => void this.answer(request, response))
    await new Promise<void>((resolve) => this.server!.listen(port, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    return this
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((resolve) => this.server?.close(resolve))
  }

  add(email: string, more: Partial<KratosAccount> = {}): KratosAccount {
    const account: KratosAccount = {
      id: randomUUID(),
      password: 'a lantern on the mizzen',
      state: 'active',
      traits: { email, name: { first: 'Kay', last: 'Ratos' } },
      verified: true,
      ...more,
    }
    this.accounts.push(account)
    return account
  }

  /** Ends all sessions of an account, as its administrator would. */
  revoke(account: KratosAccount): void {
    this.sessions.splice(0, this.sessions.length, ...this.sessions.filter((one) => one.account !== account))
  }

  /** Lets all open flows run out. */
  expireFlows(): void {
    for (const flow of this.flows.values()) flow.expires = 0
  }

  private get base(): string {
    return this.baseUrl ?? this.url
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const address = new URL(request.url ?? '/', this.url)
    const { method = 'GET', headers } = request
    this.seen.push({ method, path: address.pathname + address.search, headers, body: text })
    if (this.broken) return send(response, this.broken, refusal(this.broken, undefined, 'This is broken.'))
    const cookies = new Map(
      (headers.cookie ?? '').split(/;\s*/).map((pair): [string, string] => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at), pair.slice(at + 1)]
      }),
    )
    const isJson = (headers['content-type'] ?? '').includes('json')
    const body = (isJson && text ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))) as Visit['body']
    const token = headers['x-session-token'] ?? cookies.get(sessionCookie)
    const session = this.sessions.find((one) => one.token === token && one.account.state === 'active')
    const json = (headers.accept ?? '').includes('application/json')
    this.route(method, address.pathname, {
      request,
      response,
      query: address.searchParams,
      cookies,
      body,
      json,
      session,
    })
  }

  private route(method: string, path: string, visit: Visit): void {
    const { response, session, query } = visit
    if (path === '/sessions/whoami') return this.whoami(visit)
    if (path === '/self-service/logout/browser') {
      if (!session) return send(response, 401, noSession)
      const address = `${this.base}/self-service/logout?token=${session.logout}`
      return send(response, 200, { logout_token: session.logout, logout_url: address })
    }
    if (path === '/self-service/logout') return this.signOut(visit)
    const [, kind = '', rest = ''] = /^\/self-service\/(login|settings|recovery)(?:\/(\w+))?$/.exec(path) ?? []
    if (kind && method === 'GET' && (rest === 'browser' || rest === 'api')) return this.begin(visit, kind, rest)
    if (kind && method === 'GET' && rest === 'flows') {
      const flow = this.flows.get(query.get('id') ?? '')
      return flow ? send(response, 200, this.show(flow)) : send(response, 404, refusal(404, undefined, 'Unknown flow.'))
    }
    if (kind && method === 'POST' && rest === '') return this.submit(visit, kind)
    return send(response, 404, refusal(404, undefined, 'No such route.'))
  }

  private whoami({ response, session }: Visit): void {
    if (!session) return send(response, 401, noSession)
    if (session.account.secondFactor) {
      const redirect = `${this.base}/self-service/login/browser?aal=aal2`
      const words = 'A second factor is required.'
      return send(response, 403, { ...refusal(403, 'session_aal2_required', words), redirect_browser_to: redirect })
    }
    response.setHeader('x-kratos-authenticated-identity-id', session.account.id)
    return send(response, 200, this.describe(session))
  }

  private begin({ response, query, json, session }: Visit, kind: string, type: 'browser' | 'api'): void {
    if (kind === 'settings' && !session) return send(response, 401, { ...noSession })
    if (kind === 'login' && session && query.get('refresh') !== 'true')
      return send(response, 400, refusal(400, 'session_already_available', 'A valid session was detected.'))
    const csrf = type === 'browser' ? randomBytes(32).toString('base64') : ''
    const flow: Flow = {
      id: randomUUID(),
      kind,
      type,
      csrf,
      expires: Date.now() + 3_600_000,
      returnTo: query.get('return_to') ?? undefined,
      messages: [],
      account: session?.account,
    }
    this.flows.set(flow.id, flow)
    if (csrf) this.setCookie(response, csrfCookie, csrf, 31_536_000)
    if (json || type === 'api') return send(response, 200, this.show(flow))
    return redirect(response, `${this.uiUrl}/${kind}?flow=${flow.id}`)
  }

  private submit(visit: Visit, kind: string): void {
    const { response, query, body, cookies, json } = visit
    const flow = this.flows.get(query.get('flow') ?? '')
    if (!flow || flow.kind !== kind) return send(response, 404, refusal(404, undefined, 'Unknown flow.'))
    if (flow.type === 'browser' && (cookies.get(csrfCookie) !== flow.csrf || body.csrf_token !== flow.csrf))
      return send(response, 403, refusal(403, 'security_csrf_violation', 'CSRF token is missing or invalid.'))
    if (flow.expires <= Date.now()) {
      const gone = refusal(410, 'self_service_flow_expired', 'The flow expired.')
      return send(response, 410, {
        ...gone,
        use_flow_id: randomUUID(),
        since: 1,
        expired_at: new Date(0).toISOString(),
      })
    }
    if (body.method === 'oidc') {
      const where = 'https://provider.example.test/authorize?client_id=1'
      if (!json) return redirect(response, where)
      const moved = refusal(422, 'browser_location_change_required', 'Go there.')
      return send(response, 422, { ...moved, redirect_browser_to: where })
    }
    return kind === 'settings' ? this.saveTraits(visit, flow) : this.signIn(visit, flow)
  }

  private signIn({ response, body, json }: Visit, flow: Flow): void {
    const account = this.accounts.find(
      ({ traits, password }) => traits.email === body.identifier && password === body.password,
    )
    if (!account || account.state !== 'active') {
      flow.messages = [{ id: 4000006, text: 'The provided credentials are invalid.', type: 'error' }]
      return json || flow.type === 'api'
        ? send(response, 400, this.show(flow))
        : redirect(response, `${this.uiUrl}/login?flow=${flow.id}`)
    }
    const secret = randomBytes(24).toString('hex')
    const token =
      flow.type === 'api'
        ? `ory_st_${secret}`
        : // As its cookies are: more than letters and digits.
          `${Buffer.from(`${Date.now()}|${secret}|`).toString('base64url')}==`
    const session = { id: randomUUID(), account, token, logout: randomBytes(16).toString('hex') }
    this.sessions.push(session)
    this.flows.delete(flow.id)
    if (flow.type === 'api') return send(response, 200, { session_token: token, session: this.describe(session) })
    this.setCookie(response, sessionCookie, token, 86_400)
    if (!json) return redirect(response, flow.returnTo ?? this.uiUrl)
    return send(response, 200, { session: this.describe(session) })
  }

  private saveTraits({ response, body, session }: Visit, flow: Flow): void {
    if (!session) return send(response, 401, noSession)
    if (session.account !== flow.account)
      return send(response, 403, refusal(403, 'security_identity_mismatch', 'This flow is of another account.'))
    const email = String(body['traits.email'] ?? (body.traits as { email?: string })?.email ?? '')
    if (!email.includes('@')) {
      flow.messages = [{ id: 4000001, text: 'That is no address.', type: 'error' }]
      return send(response, 400, this.show(flow))
    }
    session.account.traits = { ...session.account.traits, email }
    session.account.verified = false
    flow.messages = [{ id: 1050001, text: 'Your changes have been saved!', type: 'success' }]
    return send(response, 200, this.show(flow))
  }

  private signOut({ response, query, json, session }: Visit): void {
    if (!session || query.get('token') !== session.logout)
      return send(response, 403, refusal(403, 'security_csrf_violation', 'The logout token is not right.'))
    this.sessions.splice(this.sessions.indexOf(session), 1)
    this.setCookie(response, sessionCookie, '', 0)
    return json ? send(response, 204) : redirect(response, `${this.uiUrl}/login`)
  }

  private show(flow: Flow): object {
    const node = (name: string, group: string, more: object) => ({
      type: 'input',
      group,
      attributes: { name, disabled: false, node_type: 'input', ...more },
      messages: [],
      meta: {},
    })
    return {
      id: flow.id,
      type: flow.type,
      expires_at: new Date(flow.expires).toISOString(),
      issued_at: new Date(flow.expires - 3_600_000).toISOString(),
      request_url: `${this.base}/self-service/${flow.kind}/${flow.type}`,
      ...(flow.returnTo ? { return_to: flow.returnTo } : {}),
      state: 'choose_method',
      ui: {
        action: `${this.base}/self-service/${flow.kind}?flow=${flow.id}`,
        method: 'POST',
        messages: flow.messages,
        nodes: [
          node('csrf_token', 'default', { type: 'hidden', value: flow.csrf }),
          node('identifier', 'default', { type: 'text', value: '' }),
        ],
      },
    }
  }

  private describe({ id, account }: Session): object {
    const time = new Date().toISOString()
    const { traits, state, verified } = account
    return {
      id,
      active: true,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      authenticated_at: time,
      issued_at: time,
      authenticator_assurance_level: 'aal1',
      authentication_methods: [{ method: 'password', aal: 'aal1', completed_at: time }],
      identity: {
        id: account.id,
        schema_id: 'default',
        schema_url: `${this.base}/schemas/ZGVmYXVsdA`,
        state,
        traits,
        verifiable_addresses: [
          { id: createHmac('md5', account.id).digest('hex'), value: traits.email, verified, via: 'email' },
        ],
        metadata_public: null,
      },
      devices: [],
    }
  }

  private setCookie(response: ServerResponse, name: string, value: string, maxAge: number): void {
    const domain = this.cookieDomain ? `; Domain=${this.cookieDomain}` : ''
    response.appendHeader('set-cookie', `${name}=${value}; Path=/${domain}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`)
  }
}

const reasons: Record<number, string> = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' }
const refusal = (code: number, id: string | undefined, reason: string) => ({
  error: { ...(id ? { id } : {}), code, status: reasons[code] ?? 'Error', reason, message: reason },
})
const noSession = refusal(401, 'session_inactive', 'No valid session credentials found in the request.')

function send(response: ServerResponse, status: number, body?: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-store',
  })
  response.end(body ? JSON.stringify(body) : undefined)
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end()
}

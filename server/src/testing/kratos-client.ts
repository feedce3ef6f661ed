import { Configuration, FrontendApi, type LoginFlow, type UiNodeInputAttributes } from '@ory/kratos-client'

type Http = NonNullable<ConstructorParameters<typeof FrontendApi>[2]>
type Shared = Http & { create(): Http }

/** The official client library with the cookies a browser would keep; `host` is the one the browser believes to be at. */
export function kratosClient(basePath: string, host?: string) {
  const jar = new Map<string, string>()
  const configuration = new Configuration({ basePath })
  // Each browser has its own; the library would share one among all.
  const shared = new FrontendApi(configuration) as unknown as { axios: Shared }
  const axios = shared.axios.create()
  const api = new FrontendApi(configuration, basePath, axios)
  axios.interceptors.request.use((request) => {
    if (jar.size > 0) request.headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    if (host) request.headers.set('host', host)
    return request
  })
  axios.interceptors.response.use((answer) => {
    for (const line of answer.headers['set-cookie'] ?? []) keep(line)
    return answer
  })
  const keep = (line: string) => {
    const domain = /;\s*domain=([^;]+)/i.exec(line)?.[1]?.replace(/^\./, '')
    const at = (host ?? new URL(basePath).host).replace(/:\d+$/, '')
    // A browser takes no cookie for a domain it is not at.
    if (domain && at !== domain && !at.endsWith(`.${domain}`)) return
    const [pair = ''] = line.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    if (/max-age=0/i.test(line)) jar.delete(name)
    else jar.set(name, pair.slice(name.length + 1))
  }
  return { api, jar }
}

export const csrfOf = (flow: { ui: LoginFlow['ui'] }): string =>
  flow.ui.nodes.map(({ attributes }) => attributes as UiNodeInputAttributes).find(({ name }) => name === 'csrf_token')
    ?.value as string

/** Status and body of a call that must fail. */
export const failure = (promise: Promise<unknown>): Promise<{ status?: number; data: unknown }> =>
  promise.then(
    () => {
      throw new Error('it should have failed')
    },
    (error: { response?: { status: number; data: unknown } }) => ({
      status: error.response?.status,
      data: error.response?.data,
    }),
  )

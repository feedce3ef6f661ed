import { Capabilities } from '@quarterdeck/contract/capabilities'
import { z } from 'zod'
import { openApi } from '../../platform/http/openapi.ts'
import { open, type Route, route, signedIn } from '../../platform/http/route.ts'
import { version } from '../../platform/paths.ts'

const About = z.object({ Timestamp: z.string(), Version: z.string() })

/** What the server says about itself. `all` are the routes of this server, this list included. */
export function systemRoutes(
  all: () => readonly Route[],
  offers: Pick<Capabilities, 'areas' | 'live' | 'search'>,
): Route[] {
  return [
    route({
      method: 'GET',
      path: '/_health',
      access: open,
      summary: 'Whether the web server lives',
      output: z.object({ health: z.string() }),
      handle: () => ({ health: 'ok' }),
    }),
    ...['/about', '/canary/about'].map((path) =>
      route({
        method: 'GET',
        path,
        access: signedIn,
        summary: 'Version of the server and its clock',
        output: About,
        handle: ({ ctx }) => ({ Timestamp: ctx.clock.now().toISOString(), Version: version }),
      }),
    ),
    route({
      method: 'GET',
      path: '/v1/capabilities',
      access: open,
      summary: 'What this server offers; the console hides the rest',
      output: Capabilities,
      handle: ({ ctx }): Capabilities => ({
        version,
        auth: ctx.config.QUARTERDECK_AUTH,
        ...(ctx.config.QUARTERDECK_AUTH === 'clerk' && ctx.config.CLERK_PUBLISHABLE_KEY
          ? { hosted: { publishable_key: ctx.config.CLERK_PUBLISHABLE_KEY } }
          : {}),
        registration: ctx.config.QUARTERDECK_AUTH === 'builtin' && ctx.config.QUARTERDECK_REGISTRATION,
        deployment: ctx.config.QUARTERDECK_DEPLOYMENT,
        snippets: ctx.config.QUARTERDECK_UI_SNIPPETS,
        ...offers,
      }),
    }),
    route({
      method: 'GET',
      path: '/v1/openapi.json',
      access: signedIn,
      summary: 'This description',
      handle: () => openApi(all(), version),
    }),
  ]
}

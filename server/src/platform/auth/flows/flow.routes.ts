import { z } from 'zod'
import { open, type Route, route } from '../../http/route.ts'
import { countUse, flowRule } from '../attempts.ts'
import { addressKey } from '../rate-limit.ts'
import { findFlow, presentFlow, startFlow, submitFlow } from './engine.ts'
import { noteFlow, updateFlow } from '../identity.sql.ts'
import { flowOfState } from '../oidc/exchange.ts'
import { FlowError, FlowInvalid, flowNotFound } from './flow-errors.ts'
import type { FlowCall, FlowKind } from './flow.ts'
import { data, visit } from './handler.ts'
import { flatten } from './input.ts'
import { login } from './login.flow.ts'
import { comeBack } from './methods/oidc.ts'
import { openRecoveryLink, recovery } from './recovery.flow.ts'
import { registration } from './registration.flow.ts'
import { pageOf, redirectTo } from './respond.ts'
import { settings } from './settings.flow.ts'
import { openVerificationLink, verification } from './verification.flow.ts'

/** Forms are small; nothing larger is read. */
const bodyLimit = 64 * 1024

export const queryOf = (call: FlowCall): URLSearchParams => new URLSearchParams(call.request.url.split('?')[1] ?? '')

function flowRoutes(kind: FlowKind): Route[] {
  const path = `/.ory/self-service/${kind.type}`
  return [
    route({
      method: 'GET',
      path: `${path}/browser`,
      access: open,
      summary: `Starts a ${kind.type} flow`,
      handle: visit(async (call) => {
        await countUse(call.ctx, flowRule, addressKey(call.request.ip))
        const flow = await startFlow(call, kind, queryOf(call))
        return call.json ? presentFlow(call, kind, flow) : redirectTo(call, pageOf(kind, flow.id))
      }, kind),
    }),
    route({
      method: 'GET',
      path: `${path}/flows`,
      access: open,
      summary: `Answers a ${kind.type} flow by id`,
      handle: data(async (call) => {
        const flow = await findFlow(call, kind, queryOf(call).get('id'))
        return presentFlow(call, kind, flow)
      }, kind),
    }),
    route({
      method: 'POST',
      path,
      access: open,
      summary: `Takes the form of a ${kind.type} flow`,
      body: z.unknown(),
      bodyLimit,
      handle: visit((call) => submitted(call, kind), kind),
    }),
  ]
}

async function submitted(call: FlowCall, kind: FlowKind) {
  const result = await submitFlow(call, kind, queryOf(call).get('flow'), flatten(call.request.body))
  switch (result.kind) {
    case 'finished':
      return call.json ? result.body : redirectTo(call, result.redirect)
    case 'moved':
      if (!call.json) return redirectTo(call, result.redirect)
      throw new FlowError(422, 'browser_location_change_required', 'Go on at the given address.', {
        redirect: result.redirect,
      })
    case 'shown': {
      const { flow, valid } = result
      if (call.json) return call.reply.code(valid ? 200 : 400).send(await presentFlow(call, kind, flow))
      const { step, return_to, completed } = flow.state
      // A flow that is done cannot be shown again; settings stay open where nobody asked to go elsewhere.
      const next = completed ? (return_to ?? '/') : step === 'success' ? return_to : undefined
      return redirectTo(call, (valid && next) || pageOf(kind, flow.id))
    }
  }
}

/** A provider sends the browser back here; whatever happened ends on the page of the flow. */
const oidcCallback = route({
  method: 'GET',
  path: '/.ory/self-service/methods/oidc/callback/:provider',
  access: open,
  summary: 'Takes the answer of a sign-in provider',
  params: z.object({ provider: z.string() }),
  handle: visit(async (call) => {
    if (call.request.method === 'HEAD') return call.reply.code(200).send()
    const { provider } = call.request.params as { provider: string }
    const query = queryOf(call)
    const named = flowOfState(query.get('state'))
    if (!named) throw flowNotFound()
    const kind = named.type === 'login' ? login : settings
    const flow = await findFlow(call, kind, named.id)
    kind.guard(call, flow)
    try {
      const outcome = await comeBack(call, flow, provider, query)
      if (outcome.kind !== 'shown') return redirectTo(call, outcome.redirect)
    } catch (error) {
      if (!(error instanceof FlowInvalid)) throw error
      await noteFlow(call.ctx.db, flow.id, error.messages, error.fields)
      return redirectTo(call, pageOf(kind, flow.id))
    }
    await updateFlow(call.ctx.db, flow.id, flow.state)
    return redirectTo(call, pageOf(kind, flow.id))
  }),
})

/** A link from a mail. Answers the page to go on at. */
const linkRoute = (kind: FlowKind, summary: string, openLink: OpenLink): Route =>
  route({
    method: 'GET',
    path: `/.ory/self-service/${kind.type}`,
    access: open,
    summary,
    handle: visit(async (call) => {
      // Scanners look at links with HEAD; that must not use them up.
      if (call.request.method === 'HEAD') return call.reply.code(200).send()
      await countUse(call.ctx, flowRule, addressKey(call.request.ip))
      const query = queryOf(call)
      const page = await openLink(call, query.get('flow'), query.get('token'))
      if (!call.json) return redirectTo(call, page)
      throw new FlowError(422, 'browser_location_change_required', 'Go on at the given address.', { redirect: page })
    }, kind),
  })
type OpenLink = (call: FlowCall, flow: string | null, token: string | null) => Promise<string>

export const selfServiceRoutes: Route[] = [
  oidcCallback,
  ...[login, registration, recovery, verification, settings].flatMap(flowRoutes),
  linkRoute(recovery, 'Opens a recovery or invite link', openRecoveryLink),
  linkRoute(verification, 'Opens a verification link', openVerificationLink),
]

import type { UiText } from '@quarterdeck/contract/identity'
import { isUuid, newId } from '../../ids.ts'
import { TooManyAttempts } from '../attempts.ts'
import { csrfDigest, csrfSecret, csrfToken, renewCsrf, sameText } from '../csrf.ts'
import { flowById, insertFlow, noteFlow, updateFlow } from '../identity.sql.ts'
import { safeReturnTo } from '../return-to.ts'
import { csrfViolation, FlowError, FlowInvalid, flowNotFound, returnToForbidden } from './flow-errors.ts'
import type { FlowCall, FlowInput, FlowKind, FlowRecord, FlowState } from './flow.ts'
import { messages } from './messages.ts'
import { fill, hidden } from './nodes.ts'

/** Starts a flow: checks where it leads, asks the kind, binds it to the browser, stores it. */
export async function startFlow(call: FlowCall, kind: FlowKind, query: URLSearchParams): Promise<FlowRecord> {
  const returnTo = query.get('return_to') ?? ''
  const path = returnTo === '' ? undefined : safeReturnTo(returnTo, call.origin)
  if (returnTo !== '' && path === undefined) throw returnToForbidden()
  const state = await kind.begin(call, query, path)
  return storeFlow(call, kind, { ...(path ? { return_to: path } : {}), ...state })
}

export async function storeFlow(call: FlowCall, kind: FlowKind, state: Partial<FlowState>): Promise<FlowRecord> {
  const { ctx, request, reply, origin } = call
  const now = ctx.clock.now()
  const secret = csrfSecret(request) ?? renewCsrf(ctx, request, reply)
  const flow: FlowRecord = {
    id: newId(now.getTime()),
    type: kind.type,
    issued_at: now,
    expires_at: new Date(now.getTime() + kind.lifetimeMs),
    state: {
      step: 'choose_method',
      request_url: withoutToken(`${origin}${request.url}`),
      csrf: csrfDigest(secret),
      messages: [],
      fields: {},
      ...state,
    },
  }
  await insertFlow(ctx.db, flow)
  return flow
}

/** A link's token is a secret; the flow it leads to must not keep it. */
function withoutToken(address: string): string {
  const url = new URL(address)
  url.searchParams.delete('token')
  return url.href.slice(0, 2048)
}

/** The flow a request names, when it belongs to the asking browser and can still be used. */
export async function findFlow(call: FlowCall, kind: FlowKind, id: string | null): Promise<FlowRecord> {
  const flow = await ownFlow(call, kind, id)
  if (kind.type === 'settings') kind.guard(call, flow)
  if (isOver(call, flow)) {
    const details = { redirect_to: `${call.base}/self-service/${kind.type}/browser` }
    throw new FlowError(410, 'self_service_flow_expired', 'This form has expired. Start a new one.', { details })
  }
  return flow
}

async function ownFlow(call: FlowCall, kind: FlowKind, id: string | null): Promise<FlowRecord> {
  const flow = isUuid(id) ? await flowById<FlowState>(call.ctx.db, kind.type, id) : undefined
  if (!flow) throw flowNotFound()
  const secret = csrfSecret(call.request)
  if (!secret || !flow.state.csrf || !sameText(csrfDigest(secret), flow.state.csrf)) throw csrfViolation()
  return flow
}

const isOver = ({ ctx }: FlowCall, flow: FlowRecord) =>
  flow.state.completed === true || flow.expires_at <= ctx.clock.now()

export type Submitted =
  | { kind: 'finished'; body: unknown; redirect: string }
  | { kind: 'shown'; flow: FlowRecord; valid: boolean }
  | { kind: 'moved'; redirect: string }

/** Handles a form that comes back. */
export async function submitFlow(
  call: FlowCall,
  kind: FlowKind,
  id: string | null,
  input: FlowInput,
): Promise<Submitted> {
  const { ctx, request } = call
  const flow = await ownFlow(call, kind, id).catch((error: unknown) => {
    // A replayed sign-in comes with another browser secret; being signed in says more than "violation".
    if (error instanceof FlowError && error.id === 'security_csrf_violation') kind.guard(call, placeholder(call, kind))
    throw error
  })
  kind.guard(call, flow)
  if (isOver(call, flow)) throw await expired(call, kind, flow)
  const secret = csrfSecret(request) as string
  if (!sameText(csrfToken(secret, flow.id), input.get('csrf_token') ?? '')) throw csrfViolation()

  flow.state = { ...flow.state, messages: [], fields: {} }
  try {
    const methods = kind.methods(call)
    const named = input.get('method')
    const method = named ? methods.find(({ name }) => name === named) : methods.find((one) => one.owns?.(input))
    if (!method) throw new FlowInvalid([messages.noMethod(kind.ids.noMethod)])
    const outcome = await method.submit(call, flow, input)
    return outcome.kind === 'shown' ? { kind: 'shown', flow: await saved(call, flow), valid: true } : outcome
  } catch (error) {
    const invalid = asInvalid(error, call.json)
    if (!invalid) throw error
    flow.state.messages = invalid.messages
    flow.state.fields = { ...typed(input), ...withValues(invalid.fields, input) }
    await noteFlow(ctx.db, flow.id, flow.state.messages, flow.state.fields)
    return { kind: 'shown', flow, valid: false }
  }
}

/** A browser without script shows "too many attempts" in the form; a script gets the status. */
function asInvalid(error: unknown, json: boolean): FlowInvalid | undefined {
  if (error instanceof TooManyAttempts && !json) return new FlowInvalid([messages.invalid(error.message)])
  return error instanceof FlowInvalid ? error : undefined
}

async function saved(call: FlowCall, flow: FlowRecord): Promise<FlowRecord> {
  await updateFlow(call.ctx.db, flow.id, flow.state)
  return flow
}

const placeholder = ({ ctx }: FlowCall, kind: FlowKind): FlowRecord => ({
  id: '',
  type: kind.type,
  issued_at: ctx.clock.now(),
  expires_at: ctx.clock.now(),
  state: { step: 'choose_method', request_url: '', messages: [], fields: {} },
})

/** The answer to a form that came too late or twice: a new flow takes its place. */
async function expired(call: FlowCall, kind: FlowKind, flow: FlowRecord): Promise<FlowError> {
  const { return_to, refresh, aal, identity_id } = flow.state
  const next = await storeFlow(call, kind, {
    ...(return_to ? { return_to } : {}),
    refresh,
    aal,
    identity_id,
    step: kind.type === 'settings' ? 'show_form' : 'choose_method',
    messages: [messages.expired(kind.ids.expired)],
  })
  const since = call.ctx.clock.now().getTime() - flow.expires_at.getTime()
  return new FlowError(
    410,
    'self_service_flow_expired',
    'This form has expired or was sent already. Use the new one.',
    {
      extra: { expired_at: flow.expires_at.toISOString(), since: since * 1_000_000, use_flow_id: next.id },
    },
  )
}

/** Never stored, never sent back. */
const private_ = new Set([
  'csrf_token',
  'password',
  'method',
  'code',
  'token',
  'totp_code',
  'lookup_secret',
  'webauthn_register',
  'webauthn_login',
])

const typed = (input: FlowInput): FlowState['fields'] =>
  Object.fromEntries(
    [...input]
      .filter(([name, value]) => !private_.has(name) && value.length <= 1024)
      .map(([name, value]) => [name, { value }]),
  )

function withValues(fields: FlowState['fields'], input: FlowInput): FlowState['fields'] {
  const kept = typed(input)
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...kept[name], ...field }]))
}

/** The flow as clients see it. */
export async function presentFlow(call: FlowCall, kind: FlowKind, flow: FlowRecord) {
  const { state } = flow
  const secret = csrfSecret(call.request) ?? ''
  const groups = await Promise.all(kind.methods(call).map(async (method) => method.nodes(call, flow)))
  const nodes = [hidden('csrf_token', csrfToken(secret, flow.id)), ...groups.flat()]
  const shown: UiText[] = state.messages
  return {
    id: flow.id,
    type: 'browser',
    issued_at: flow.issued_at.toISOString(),
    expires_at: flow.expires_at.toISOString(),
    request_url: state.request_url,
    ...(state.return_to ? { return_to: state.return_to } : {}),
    ...(state.active ? { active: state.active } : {}),
    state: state.step,
    ui: {
      action: `${call.base}/self-service/${kind.type}?flow=${flow.id}`,
      method: 'POST',
      ...(shown.length > 0 ? { messages: shown } : {}),
      nodes: fill(nodes, state.fields),
    },
    ...(await kind.extra?.(call, flow)),
  }
}

import type { UiNode, UiText } from '@quarterdeck/contract/identity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import type { FlowRow } from '../identity.sql.ts'
import type { ActiveSession } from '../active-session.ts'

export interface FieldState {
  value?: string
  messages?: UiText[]
}

/** What is kept of a flow between its requests. */
export interface FlowState {
  step: 'choose_method' | 'show_form' | 'sent_email' | 'passed_challenge' | 'success'
  request_url: string
  /** A path of this site. */
  return_to?: string
  /** Digest of the secret of the browser that started it. */
  csrf?: string
  messages: UiText[]
  fields: Record<string, FieldState>
  active?: string
  refresh?: boolean
  aal?: 'aal1' | 'aal2'
  identity_id?: string
  /** Set when the flow has done its work; it cannot be used again. */
  completed?: boolean
  /** What a method keeps for itself; never shown. */
  secret?: Record<string, unknown>
}

export type FlowRecord = FlowRow<FlowState>

/** One request to the identity API. */
export interface FlowCall {
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
  /** `https://host` */
  origin: string
  /** `https://host/api/.ory`, or wherever the identity routes are mounted. */
  base: string
  /** Scripts get JSON, native forms and links get redirects. */
  json: boolean
  session: ActiveSession | undefined
}

export type FlowInput = ReadonlyMap<string, string>

export type Outcome =
  /** The flow has done its work. */
  | { kind: 'finished'; body: unknown; redirect: string }
  /** The same form again, with its new state and messages. */
  | { kind: 'shown' }
  /** Go on at another page. */
  | { kind: 'moved'; redirect: string }

/** One way through a flow: a small file that draws its fields and handles what comes back. */
export interface FlowMethod {
  name: string
  nodes(call: FlowCall, flow: FlowRecord): UiNode[] | Promise<UiNode[]>
  submit(call: FlowCall, flow: FlowRecord, input: FlowInput): Promise<Outcome>
  /** Whether the form is meant for this method though it does not name one: buttons of their own stand for a method. */
  owns?(input: FlowInput): boolean
}

export interface FlowKind {
  type: 'login' | 'settings' | 'recovery' | 'registration' | 'verification'
  /** The console's page that shows the form. */
  page: string
  lifetimeMs: number
  /** Kratos' ids of "expired" and "no such method". */
  ids: { expired: number; noMethod: number }
  methods(call: FlowCall): FlowMethod[]
  /** Whether a new flow may start, and with what. */
  begin(call: FlowCall, query: URLSearchParams, returnTo?: string): Partial<FlowState> | Promise<Partial<FlowState>>
  /** Whether this caller may go on with this flow. */
  guard(call: FlowCall, flow: FlowRecord): void
  /** Fields of the answer beyond the common ones. */
  extra?(call: FlowCall, flow: FlowRecord): Record<string, unknown> | Promise<Record<string, unknown>>
}

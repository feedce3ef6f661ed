import type { Flow, UiNode, UiText } from '@quarterdeck/contract/identity'
import { client } from '@/api/client.ts'
import { isRecord } from '@/api/errors.ts'

export type { Flow, UiNode, UiText }
export type FlowKind = 'login' | 'registration' | 'recovery' | 'verification' | 'settings'

/** Values of a flow form as the identity service takes them: flat, by node name. */
export type FlowValues = Record<string, string | boolean>

/** What a new flow is made with. */
export interface FlowStart {
  returnTo?: string
  refresh?: boolean
  aal?: string
}

const identity = client('identity')

export const isFlow = (value: unknown): value is Flow =>
  isRecord(value) && typeof value.id === 'string' && isRecord(value.ui) && Array.isArray(value.ui.nodes)

/** What a node says about itself, when it is something that can be shown. */
export const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
export const labelOf = (node: UiNode) => node.meta.label?.text
export const isUiText = (value: unknown): value is UiText =>
  typeof value === 'object' && value !== null && 'text' in value

const removals = ['totp_unlink', 'lookup_secret_disable', 'webauthn_remove', 'unlink']
/** A button that takes a way of signing in away. */
export const isRemoval = ({ attributes }: UiNode) =>
  attributes.type === 'submit' && removals.includes(String(attributes.name))

/** The stable name of an error of the identity service. */
export const errorIdOf = (body: unknown) => (isRecord(body) && isRecord(body.error) ? body.error.id : undefined)

/** What the identity service wants to happen after a submission, by the name of the action. */
export function stepOf(answer: unknown, action: string): Record<string, unknown> | undefined {
  const steps = isRecord(answer) && Array.isArray(answer.continue_with) ? (answer.continue_with as unknown[]) : []
  return steps.find((step): step is Record<string, unknown> => isRecord(step) && step.action === action)
}

function flowOf(value: unknown): Flow {
  if (!isFlow(value)) throw new Error('The identity service sent something that is not a form')
  return value
}

/** Fetches a flow that was begun before. */
export const getFlow = async (kind: FlowKind, id: string, signal?: AbortSignal) =>
  flowOf(await identity.get(`/self-service/${kind}/flows`, { query: { id }, signal }))

const startQuery: Record<FlowKind, (start: FlowStart) => Record<string, string | boolean | undefined>> = {
  login: ({ refresh = false, aal = '', returnTo = '/' }) => ({ refresh, aal, return_to: returnTo }),
  registration: ({ returnTo }) => ({ after_verification_return_to: returnTo }),
  recovery: ({ returnTo }) => ({ return_to: returnTo }),
  verification: ({ returnTo }) => ({ return_to: returnTo }),
  settings: ({ returnTo = '/' }) => ({ return_to: returnTo }),
}

/** Begins a new flow. */
export const createFlow = async (kind: FlowKind, start: FlowStart, signal?: AbortSignal) =>
  flowOf(await identity.get(`/self-service/${kind}/browser`, { query: startQuery[kind](start), signal }))

/** Sends the values of a flow's form; the answer is a flow, a session, or nothing. */
export const submitFlow = (kind: FlowKind, id: string, values: FlowValues) =>
  identity.post(`/self-service/${kind}?flow=${encodeURIComponent(id)}`, values)

export const getFlowError = (id: string, signal?: AbortSignal) =>
  identity.get('/self-service/errors', { query: { id }, signal })

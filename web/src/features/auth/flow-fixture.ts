import type { Flow, UiNode } from './flows.ts'

type Attributes = Record<string, unknown>

export const inputNode = (name: string, attributes: Attributes = {}, more: Partial<UiNode> = {}): UiNode => ({
  type: 'input',
  group: 'default',
  messages: [],
  meta: {},
  ...more,
  attributes: { node_type: 'input', name, type: 'text', disabled: false, ...attributes },
})

export const label = (text: string) => ({ label: { id: 1, text, type: 'info' as const } })

/** A flow as the identity service sends it; by default the password form. */
export function aFlow(
  more: Partial<Flow> = {},
  nodes: UiNode[] = passwordNodes,
  messages?: Flow['ui']['messages'],
): Flow {
  return {
    id: 'flow-1',
    type: 'browser',
    issued_at: '2024-08-29T10:00:00Z',
    expires_at: '2024-08-29T11:00:00Z',
    request_url: 'http://localhost/login',
    state: 'choose_method',
    ui: { action: 'http://localhost/api/.ory/self-service/login?flow=flow-1', method: 'POST', nodes, messages },
    ...more,
  }
}

export const passwordNodes: UiNode[] = [
  inputNode('csrf_token', { type: 'hidden', value: 'token-1' }),
  inputNode('identifier', { required: true }, { meta: label('E-mail') }),
  inputNode('password', { type: 'password', required: true }, { group: 'password', meta: label('Password') }),
  inputNode('method', { type: 'submit', value: 'password' }, { group: 'password', meta: label('Sign in') }),
]

import type { UiNode, UiText } from '@quarterdeck/contract/identity'

type Group = UiNode['group']

interface InputOptions {
  type?: string
  value?: string | number | boolean
  required?: boolean
  autocomplete?: string
  maxlength?: number
  onclick?: string
  label?: UiText
}

/** One field of a form, in the shape Kratos clients draw. */
export function input(group: Group, name: string, { label, type = 'text', ...rest }: InputOptions = {}): UiNode {
  return {
    type: 'input',
    group,
    attributes: { name, type, ...rest, disabled: false, node_type: 'input' },
    messages: [],
    meta: label ? { label } : {},
  }
}

export const hidden = (name: string, value: string, group: Group = 'default'): UiNode =>
  input(group, name, { type: 'hidden', value, required: true })

/** A button: pressing it sends `method` with the group's name. */
export const submit = (group: Group, label: UiText, value: string = group, name = 'method'): UiNode =>
  input(group, name, { type: 'submit', value, label })

export const image = (group: Group, id: string, src: string, size: number, label: UiText): UiNode => ({
  type: 'img',
  group,
  attributes: { id, src, width: size, height: size, node_type: 'img' },
  messages: [],
  meta: { label },
})

export const text = (group: Group, id: string, words: UiText, label?: UiText): UiNode => ({
  type: 'text',
  group,
  attributes: { id, text: words, node_type: 'text' },
  messages: [],
  meta: label ? { label } : {},
})

export const anchor = (group: Group, id: string, href: string, title: UiText): UiNode => ({
  type: 'a',
  group,
  attributes: { id, href, title, node_type: 'a' },
  messages: [],
  meta: { label: title },
})

export const script = (group: Group, id: string, src: string): UiNode => ({
  type: 'script',
  group,
  attributes: {
    id,
    src,
    async: true,
    referrerpolicy: 'no-referrer',
    crossorigin: 'anonymous',
    integrity: '',
    nonce: '',
    type: 'text/javascript',
    node_type: 'script',
  },
  messages: [],
  meta: {},
})

/** Puts what was typed and what is wrong with it onto the fields; passwords are never sent back. */
export function fill(nodes: UiNode[], fields: Record<string, { value?: string; messages?: UiText[] }>): UiNode[] {
  return nodes.map((node) => {
    const field = fields[String(node.attributes.name)]
    if (!field || node.attributes.type === 'submit') return node
    const keepsValue = field.value !== undefined && !['password', 'hidden'].includes(String(node.attributes.type))
    return {
      ...node,
      attributes: keepsValue ? { ...node.attributes, value: field.value } : node.attributes,
      messages: field.messages ?? [],
    }
  })
}

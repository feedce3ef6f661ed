import { hiddenValue } from '@quarterdeck/contract/connections/address'
import { isShown } from '@quarterdeck/contract/connections/form'
import type { ConnectionField, ConnectionKind, Values } from '@quarterdeck/contract/connections/kind'
import { connection } from '@/entities/connection-field.tsx'
import { choice, type FieldSpec, number, secret, text, toggle } from '@/ui/form/declare.ts'
import type { SecretSource } from '@/ui/form/secrets.ts'

const sources: readonly SecretSource[] = ['static', 'secret', 'configmap', 'helm', 'serviceaccount', 'env', 'file']

/** What a form of a connection holds: who it is, and the values of its type under their keys. */
export interface FormValues {
  name: string
  namespace: string
  values: Values
}

const noSlash = { pattern: /^[^/]+$/, patternMessage: 'A slash is not possible here', maxLength: 253 }
const ownFields = (readOnly: boolean): FieldSpec[] => [
  text('name', { required: true, readOnly, ...noSlash }),
  text('namespace', { required: true, readOnly, default: 'default', ...noSlash }),
]

/** The fields of a type as the form kit draws them. */
export function formFields(kind: ConnectionKind, { readOnly = false, isNew = true } = {}): FieldSpec[] {
  return [...ownFields(readOnly), ...kind.fields.map((field) => formField(field, { readOnly, isNew }))]
}

function formField(field: ConnectionField, { readOnly, isNew }: { readOnly: boolean; isNew: boolean }): FieldSpec {
  const { label, hint, placeholder, min, max, options = [], multiline } = field
  const name = `values.${field.key}`
  const shared = {
    label,
    hint,
    placeholder,
    readOnly,
    // What was stored without it by other means stays as good as it is.
    required: field.required && (isNew || field.to !== 'url'),
    wide: field.to === 'url' || multiline || field.kind === 'switch',
    when: field.when && ((form: { values?: Values }) => isShown(field, form.values ?? {})),
  }
  switch (field.kind) {
    case 'text':
      return text(name, shared)
    case 'number':
      return number(name, { ...shared, min, max })
    case 'switch':
      return toggle(name, { ...shared, required: false })
    case 'choice':
      return choice(name, options, shared)
    case 'value':
      return secret(name, { ...shared, plain: true, sources, hidden: hiddenValue })
    case 'secret':
      return secret(name, { ...shared, multiline, sources, hidden: hiddenValue })
    case 'connection':
      return connection(name, shared)
  }
}

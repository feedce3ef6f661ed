/** The tree of a jq program. */
export type Jq =
  | { type: 'identity' }
  | { type: 'recurse' }
  | { type: 'literal'; value: unknown }
  | { type: 'text'; parts: (string | Jq)[]; format: string }
  | { type: 'format'; name: string }
  | { type: 'variable'; name: string }
  | { type: 'field'; of: Jq; key: Jq }
  | { type: 'slice'; of: Jq; from: Jq | null; to: Jq | null }
  | { type: 'iterate'; of: Jq }
  | { type: 'array'; body: Jq | null }
  | { type: 'object'; entries: { key: Jq; value: Jq }[] }
  | { type: 'negate'; body: Jq }
  | { type: 'pipe'; left: Jq; right: Jq }
  | { type: 'comma'; left: Jq; right: Jq }
  | { type: 'binary'; operator: string; left: Jq; right: Jq }
  | { type: 'and' | 'or' | 'alternative'; left: Jq; right: Jq }
  | { type: 'assign'; operator: string; left: Jq; right: Jq }
  | { type: 'if'; condition: Jq; then: Jq; else: Jq }
  | { type: 'try'; body: Jq; catch: Jq | null }
  | { type: 'reduce'; source: Jq; pattern: Pattern; init: Jq; update: Jq }
  | { type: 'foreach'; source: Jq; pattern: Pattern; init: Jq; update: Jq; extract: Jq | null }
  | { type: 'bind'; source: Jq; patterns: Pattern[]; body: Jq }
  | { type: 'label'; name: string; body: Jq }
  | { type: 'break'; name: string }
  | { type: 'define'; definition: Definition; body: Jq }
  | { type: 'call'; name: string; args: Jq[] }

export type Pattern =
  | { type: 'variable'; name: string }
  | { type: 'array'; items: Pattern[] }
  | { type: 'object'; entries: { key: Jq; variable?: string; pattern?: Pattern }[] }

export interface Definition {
  name: string
  /** `$x` is a value, `f` a filter. */
  params: string[]
  body: Jq
}

interface Operator {
  /** How PostgreSQL spells it; empty for those that are built specially. */
  sql: string
  /** May be followed by (any) or (all). */
  quantifiable?: true
  /** * stands for % in its value. */
  pattern?: true
  /** Text search: the function that reads the value. */
  search?: string
  /** Works on text only, so other columns are compared by their text. */
  textual?: true
}

/** Every filter operator: {column}={operator}.{value}. docs/data-api.md shows the same table. */
export const operators = {
  eq: { sql: '=', quantifiable: true },
  neq: { sql: '<>' },
  gt: { sql: '>', quantifiable: true },
  gte: { sql: '>=', quantifiable: true },
  lt: { sql: '<', quantifiable: true },
  lte: { sql: '<=', quantifiable: true },
  like: { sql: 'like', quantifiable: true, pattern: true, textual: true },
  ilike: { sql: 'ilike', quantifiable: true, pattern: true, textual: true },
  match: { sql: '~', quantifiable: true, textual: true },
  imatch: { sql: '~*', quantifiable: true, textual: true },
  in: { sql: '' },
  is: { sql: '' },
  isdistinct: { sql: 'is distinct from' },
  fts: { sql: '@@', search: 'to_tsquery' },
  plfts: { sql: '@@', search: 'plainto_tsquery' },
  phfts: { sql: '@@', search: 'phraseto_tsquery' },
  wfts: { sql: '@@', search: 'websearch_to_tsquery' },
  cs: { sql: '@>' },
  cd: { sql: '<@' },
  ov: { sql: '&&' },
  sl: { sql: '<<' },
  sr: { sql: '>>' },
  nxr: { sql: '&<' },
  nxl: { sql: '&>' },
  adj: { sql: '-|-' },
} satisfies Record<string, Operator>

export type OperatorName = keyof typeof operators

export const operatorOf = (name: OperatorName): Operator => operators[name]

export const isOperator = (name: string): name is OperatorName => Object.hasOwn(operators, name)

export const operatorNames = Object.keys(operators).join(', ')

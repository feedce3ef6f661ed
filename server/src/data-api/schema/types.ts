/** What the data API must know of a type: which operators need help with it, and how OpenAPI calls it. */
export type TypeFamily =
  | 'text'
  | 'json'
  | 'jsonb'
  | 'array'
  | 'boolean'
  | 'number'
  | 'time'
  | 'uuid'
  | 'tsvector'
  | 'range'
  | 'enum'
  | 'other'

const numbers = new Set([
  'int2',
  'int4',
  'int8',
  'float4',
  'float8',
  'numeric',
  'smallint',
  'integer',
  'bigint',
  'real',
  'double precision',
])

/** `base` is pg_type.typname or its SQL spelling, `category` is pg_type.typcategory. */
export function typeFamily(base: string, category: string): TypeFamily {
  if (category === 'A') return 'array'
  if (base === 'json' || base === 'jsonb' || base === 'uuid' || base === 'tsvector') return base
  if (category === 'B') return 'boolean'
  if (category === 'S') return 'text'
  if (category === 'E') return 'enum'
  if (category === 'R') return 'range'
  if (category === 'D') return 'time'
  if (numbers.has(base)) return 'number'
  return 'other'
}

import { AppError } from '../../platform/errors.ts'
import { shorten } from '../errors.ts'

/** Types a select may cast to. A name outside this list never reaches PostgreSQL. */
const castable = new Set([
  'text', 'varchar', 'char', 'smallint', 'int2', 'integer', 'int', 'int4', 'bigint', 'int8', 'numeric', 'decimal', 'real',
  'float', 'float4', 'float8', 'double precision', 'boolean', 'bool', 'json', 'jsonb', 'uuid', 'date', 'time', 'timetz',
  'timestamp', 'timestamptz', 'timestamp with time zone', 'timestamp without time zone', 'interval',
]) // prettier-ignore

export function checkedCast(type: string | undefined): string | undefined {
  if (type === undefined || castable.has(type.replace(/\[\]$/, ''))) return type
  throw new AppError(400, '42704', `type "${shorten(type)}" does not exist or cannot be cast to`)
}

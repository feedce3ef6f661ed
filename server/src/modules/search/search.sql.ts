import type { SearchHit, SearchKind } from '@quarterdeck/contract/search'
import type { Sql } from '../../platform/db/db.ts'

/** Candidates looked at per kind; ranking picks the best of them. */
const pool = 200

interface KindQuery {
  table: string
  /** What a hit shows, with the table as `t`. */
  hit: string
  live: string
  name: string
  /** Other texts that lead to the row, searched after the name. */
  also: readonly string[]
  /** Too many rows to read: only what an index answers is asked. */
  large?: boolean
}

const kinds: Record<SearchKind, KindQuery> = {
  check: {
    table: 'checks',
    hit: `t.id, t.name, t.type,
      (select concat_ws('/', k.namespace, k.name) from canaries k where k.id = t.canary_id) as detail, t.status`,
    live: 't.deleted_at is null',
    name: 't.name',
    also: ['t.type'],
  },
  config: {
    table: 'config_items',
    hit: `t.id, t.name, t.type, t.tags ->> 'namespace' as detail, t.health as status`,
    live: 't.deleted_at is null',
    name: 't.name',
    also: ['t.type'],
    large: true,
  },
  component: {
    table: 'components',
    hit: `t.id, t.name, t.type, t.namespace as detail, coalesce(nullif(t.health, ''), t.status) as status`,
    live: 't.deleted_at is null and not t.hidden',
    name: 't.name',
    also: ['t.type'],
  },
  incident: {
    table: 'incidents',
    hit: `t.id, t.title as name, t.severity as type, t.incident_id::text as detail, t.status`,
    live: 'true',
    name: 't.title',
    also: ['t.incident_id'],
  },
  playbook: {
    table: 'playbooks',
    hit: `t.id, coalesce(nullif(t.title, ''), t.name) as name, null::text as type, nullif(t.category, '') as detail, null::text as status`,
    live: 't.deleted_at is null',
    name: 't.name',
    also: ['t.title', 't.category'],
  },
}

/** The rows of one kind, each with how well it fits: 0 is the whole name, 5 some other text of it. */
function queryOf(kind: SearchKind, short: boolean): string {
  const { table, hit, live, name, also, large } = kinds[kind]
  // Prefixes are found by index. One or two letters inside a word would mean reading everything, for hits nobody wants.
  const conditions = [`lower(${name}) like $2 || '%'`]
  if (!large) conditions.push(...also.map((column) => `lower(${column}) like $2 || '%'`))
  if (!short)
    conditions.push(`${name} ilike '%' || $2 || '%'`, ...also.map((column) => `${column} ilike '%' || $2 || '%'`))
  const candidates = conditions.map(
    (condition) => `(select t.id from ${table} t where ${live} and ${condition} limit ${pool})`,
  )
  return `
    select '${kind}' as kind, hits.* from (
      select ${hit},
        case
          when lower(${name}) = $1 then 0
          when starts_with(lower(${name}), $1) then 1
          when ${also.map((column) => `lower(${column}) = $1`).join(' or ')} then 2
          when lower(${name}) ~ $3 then 3
          when position($1 in lower(${name})) > 0 then 4
          else 5
        end as rank
      from ${table} t
      where t.id in (${candidates.join(' union ')})
      order by rank, length(${name}), ${name}, t.id
      limit $4
    ) hits`
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
const escapeRegex = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

export async function findByText(
  sql: Sql,
  wanted: readonly SearchKind[],
  text: string,
  limit: number,
): Promise<SearchHit[]> {
  if (wanted.length === 0) return []
  const q = text.toLowerCase()
  const rows = await sql.query<SearchHit & { rank: number }>(
    wanted.map((kind) => `(${queryOf(kind, q.length < 3)})`).join(' union all '),
    // A word begins after anything that is no letter or digit.
    [q, escapeLike(q), `[^[:alnum:]]${escapeRegex(q)}`, limit],
  )
  return rows.map(({ rank: _, ...hit }) => hit)
}

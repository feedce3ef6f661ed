import { createHash } from 'node:crypto'
import type { Db, Sql } from '../../../platform/db/db.ts'
import type { CommonSpec } from '../kind.ts'
import { type Evaluator, type FinishInput, environment } from './finish.ts'

type Lookup = { expr?: string; value?: string; label?: string }
type Selector = Partial<Record<'id' | 'external_id' | 'name' | 'namespace' | 'type' | 'agent' | 'scope', Lookup>> & {
  labels?: Record<string, string>
}
/** A selector with every key evaluated. */
type Criteria = Record<string, string> & { labels?: never }

interface Target {
  links: 'check_config_relationships' | 'check_component_relationships'
  column: 'config_id' | 'component_id'
  table: 'config_items' | 'components'
  /** How each key of a selector is compared. */
  compare: Record<string, string>
}

const agentIs = (place: string) => `r.agent_id in (select id from agents where id::text = ${place} or name = ${place})`
const configs: Target = {
  links: 'check_config_relationships',
  column: 'config_id',
  table: 'config_items',
  compare: {
    id: 'r.id::text = ?',
    external_id: 'r.external_id @> array[?]',
    name: 'r.name = ?',
    namespace: `r.tags ->> 'namespace' = ?`,
    type: 'r.type = ?',
    agent: agentIs('?'),
    scope: `r.scraper_id::text = ?`,
  },
}
const components: Target = {
  links: 'check_component_relationships',
  column: 'component_id',
  table: 'components',
  compare: {
    id: 'r.id::text = ?',
    external_id: 'r.external_id = ?',
    name: 'r.name = ?',
    namespace: 'r.namespace = ?',
    type: 'r.type = ?',
    agent: agentIs('?'),
    scope: `r.topology_id::text = ?`,
  },
}

export const hasRelations = (spec: CommonSpec): boolean =>
  (spec.relationships?.configs?.length ?? 0) + (spec.relationships?.components?.length ?? 0) > 0

/** Links a check to the items and components its selectors find now, and unlinks those they no longer find. */
export async function relate(db: Db, evaluator: Evaluator, input: FinishInput): Promise<void> {
  const env = environment(input)
  const run = async (lookup: Lookup): Promise<string> => {
    if (lookup.expr) return String(await evaluator.evaluate({ expr: lookup.expr }, env, input.lastResult))
    if (lookup.label) return input.check.labels[lookup.label] ?? ''
    return lookup.value ?? ''
  }
  for (const [target, selectors] of [
    [configs, input.spec.relationships?.configs],
    [components, input.spec.relationships?.components],
  ] as const) {
    if (!selectors?.length) continue
    const found = new Map<string, string[]>()
    for (const selector of selectors as Selector[]) {
      const criteria = await evaluateSelector(selector, run)
      found.set(selectorId(selector), criteria ? await matching(db, target, criteria, selector.labels) : [])
    }
    await db.tx((sql) => writeLinks(sql, target, input, found))
  }
}

/** Undefined when a key that is set gives nothing: such a selector matches nothing. */
async function evaluateSelector(
  selector: Selector,
  run: (lookup: Lookup) => Promise<string>,
): Promise<Criteria | undefined> {
  const criteria: Record<string, string> = {}
  for (const [key, lookup] of Object.entries(selector)) {
    if (key === 'labels' || !lookup) continue
    const value = (await run(lookup as Lookup)).trim()
    if (value === '') return undefined
    criteria[key] = value
  }
  return criteria as Criteria
}

async function matching(
  sql: Sql,
  target: Target,
  criteria: Criteria,
  labels?: Record<string, string>,
): Promise<string[]> {
  const conditions: string[] = []
  const values: unknown[] = []
  for (const [key, value] of Object.entries(criteria)) {
    const comparison = target.compare[key]
    if (!comparison) return []
    values.push(value)
    conditions.push(comparison.replaceAll('?', `$${values.length}`))
  }
  if (labels && Object.keys(labels).length > 0) {
    values.push(JSON.stringify(labels))
    conditions.push(`r.labels @> $${values.length}::jsonb`)
  }
  // A selector without any condition would link everything.
  if (conditions.length === 0) return []
  const rows = await sql.query<{ id: string }>(
    `select r.id from ${target.table} r where r.deleted_at is null and ${conditions.join(' and ')} limit 500`,
    values,
  )
  return rows.map(({ id }) => id)
}

const selectorId = (selector: Selector): string => createHash('md5').update(JSON.stringify(selector)).digest('hex')

async function writeLinks(
  sql: Sql,
  target: Target,
  { canary, check }: FinishInput,
  found: ReadonlyMap<string, string[]>,
): Promise<void> {
  const pairs = [...found].flatMap(([selector, ids]) => ids.map((id) => ({ selector, id })))
  await sql.run(
    `update ${target.links} set deleted_at = now()
      where check_id = $1 and deleted_at is null and selector_id is not null
        and not exists (select from unnest($2::uuid[], $3::text[]) as kept (id, selector)
                         where kept.id = ${target.column} and kept.selector = selector_id)`,
    [check.id, pairs.map(({ id }) => id), pairs.map(({ selector }) => selector)],
  )
  if (pairs.length === 0) return
  await sql.run(
    `insert into ${target.links} (${target.column}, check_id, canary_id, selector_id)
     select id, $1, $2, selector from unnest($3::uuid[], $4::text[]) as link (id, selector)
     on conflict (${target.column}, check_id, canary_id, selector_id) do update set deleted_at = null
      where ${target.links}.deleted_at is not null`,
    [check.id, canary.id, pairs.map(({ id }) => id), pairs.map(({ selector }) => selector)],
  )
}

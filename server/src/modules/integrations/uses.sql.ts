import type { Sql } from '../../platform/db/db.ts'

/** Something that refers to a definition. */
export interface Use {
  /** As it stands after the number. */
  what: string
  count: number
  /** The first few, by name. */
  names: string[]
  /** Deleting would leave it without what it needs, so it is refused. */
  blocks: boolean
}

interface Question {
  /** For one, and for any other number. */
  what: readonly [one: string, many: string]
  blocks?: boolean
  /** Ids and names of what refers to $1. */
  sql: string
}

/** Who refers to a row of each table. A new table is a new entry. */
const questions: Record<string, readonly Question[]> = {
  topologies: [
    {
      what: ['component', 'components'],
      sql: `select name from components where topology_id = $1 and deleted_at is null`,
    },
    {
      what: ['open incident with evidence on its components', 'open incidents with evidence on its components'],
      sql: `select distinct incidents.incident_id || ' ' || incidents.title as name
            from components
            join evidences on evidences.component_id = components.id
            join hypotheses on hypotheses.id = evidences.hypothesis_id
            join incidents on incidents.id = hypotheses.incident_id
            where components.topology_id = $1 and components.deleted_at is null
              and incidents.status not in ('resolved', 'closed', 'cancelled')`,
    },
  ],
  incident_rules: [
    {
      what: ['open incident that it opened', 'open incidents that it opened'],
      sql: `select incident_id || ' ' || title as name from incidents
            where incident_rule_id = $1 and status not in ('resolved', 'closed', 'cancelled')`,
    },
  ],
  teams: [
    {
      what: ['notification that goes to it', 'notifications that go to it'],
      blocks: true,
      sql: `select coalesce(nullif(title, ''), array_to_string(events, ', ')) as name from notifications
            where team_id = $1 and deleted_at is null`,
    },
    {
      what: ['open incident that it responds to', 'open incidents that it responds to'],
      sql: `select distinct incidents.incident_id || ' ' || incidents.title as name
            from responders join incidents on incidents.id = responders.incident_id
            where responders.team_id = $1 and responders.deleted_at is null
              and incidents.status not in ('resolved', 'closed', 'cancelled')`,
    },
    {
      what: ['component that it owns', 'components that it owns'],
      sql: `select components.name from team_components
            join components on components.id = team_components.component_id
            where team_components.team_id = $1 and components.deleted_at is null`,
    },
  ],
  config_scrapers: [
    {
      what: ['catalog item', 'catalog items'],
      sql: `select name from config_items where scraper_id = $1 and deleted_at is null`,
    },
  ],
  canaries: [{ what: ['check', 'checks'], sql: `select name from checks where canary_id = $1 and deleted_at is null` }],
  // Nothing of this keeps anybody from taking away an account; whoever does it is told.
  identities: [
    {
      what: ['notification that goes to nobody else', 'notifications that go to nobody else'],
      sql: `select coalesce(nullif(title, ''), array_to_string(events, ', ')) as name from notifications
            where person_id = $1 and deleted_at is null`,
    },
    {
      what: ['team', 'teams'],
      sql: `select teams.name from team_members join teams on teams.id = team_members.team_id
            where team_members.person_id = $1 and teams.deleted_at is null`,
    },
    {
      what: ['open incident led by this person', 'open incidents led by this person'],
      sql: `select incident_id || ' ' || title as name from incidents
            where $1 in (commander_id, communicator_id) and status not in ('resolved', 'closed', 'cancelled')`,
    },
  ],
  logging_backends: [],
  notifications: [],
  properties: [],
}

export const isKnownTable = (table: string): boolean => Object.hasOwn(questions, table)

const shown = 5

/** What refers to a row; nothing of what does not. */
export async function usesOf(sql: Sql, table: string, id: string): Promise<Use[]> {
  const found: Use[] = []
  for (const { what, blocks = false, sql: question } of questions[table] ?? []) {
    const row = await sql.one<{ count: number; names: string[] | null }>(
      `with uses as (${question})
       select (select count(*)::int from uses) as count,
         (select array_agg(name) from (select name from uses order by name limit ${shown}) as few) as names`,
      [id],
    )
    if (row.count > 0)
      found.push({ what: what[row.count === 1 ? 0 : 1], blocks, count: row.count, names: row.names ?? [] })
  }
  return found
}

/** The file that keeps a row. */
export const fileOf = (sql: Sql, id: string): Promise<{ source: string } | undefined> =>
  sql.maybeOne<{ source: string }>(
    // Of an object of a cluster the record names the scraper that found it.
    `select case when starts_with(source, 'cluster:') then 'cluster:scraper ' || coalesce((select s.name from config_scrapers s
              where s.id::text = substr(resource_files.source, 9)), substr(source, 9)) else source end as source
       from resource_files where resource_id = $1 and not starts_with(source, 'first-start:')`,
    [id],
  )

import type { Sql } from '../platform/db/db.ts'

/** Everything seeded hangs on this agent: the engines of this server leave it alone, and it can be removed whole. */
export const seedAgent = { id: '5eed0000-0000-4000-8000-000000000001', name: 'seed' }
const scraper = '5eed0000-0000-4000-8000-000000000002'
const topology = '5eed0000-0000-4000-8000-000000000003'

/** Ids follow from the number, so that rows find their parents without being looked up, and a second run adds nothing. */
const idOf = (kind: string, number: string) => `md5('seed ${kind} ' || (${number}))::uuid`
const pick = (words: string[], number: string) =>
  `(array[${words.map((word) => `'${word}'`).join(', ')}])[1 + (${number})::int % ${words.length}]`
/** A tree with 25 children per item; the path is the ids of the ancestors, root first. */
const pathOf = (kind: string, number: string) => `(
  select string_agg(${idOf(kind, `${number} / (25 ^ level)::bigint`)}::text, '.' order by level desc)
  from generate_series(1, 5) as level where ${number} / (25 ^ (level - 1))::bigint > 0)`
const parentOf = (kind: string, number: string) => `case when ${number} > 0 then ${idOf(kind, `${number} / 25`)} end`
const healthOf = (number: string) =>
  `case when ${number} % 41 = 0 then 'unhealthy' when ${number} % 17 = 0 then 'warning' when ${number} % 13 = 0 then 'unknown' else 'healthy' end`
const namespaces = ['shop', 'billing', 'search', 'identity', 'monitoring', 'default', 'ingest', 'reports']

export async function prepare(sql: Sql): Promise<void> {
  await sql.run('insert into agents (id, name) values ($1, $2) on conflict (id) do nothing', [
    seedAgent.id,
    seedAgent.name,
  ])
  await sql.run(
    `insert into config_scrapers (id, name, spec, source, agent_id) values ($1, 'seed', '{}', 'ConfigFile', $2) on conflict (id) do nothing`,
    [scraper, seedAgent.id],
  )
  await sql.run(
    `insert into topologies (id, name, namespace, spec, source, agent_id) values ($1, 'seed', 'default', '{}', 'ConfigFile', $2) on conflict (id) do nothing`,
    [topology, seedAgent.id],
  )
}

/** Rows with the numbers from (included) to (excluded). Each answers how many rows it wrote. */
export type Filler = (sql: Sql, from: number, to: number) => Promise<number>

export const configs: Filler = (sql, from, to) =>
  sql.run(
    `insert into config_items (id, agent_id, scraper_id, config_class, type, name, status, health, ready, external_id, tags, labels,
       config, parent_id, path, cost_total_30d, last_scraped_time, created_at)
     select ${idOf('config', 'n')}, $3, '${scraper}',
       ${pick(['Node', 'Namespace', 'Deployment', 'Pod', 'Pod', 'Pod', 'ConfigMap', 'Service', 'Database', 'Instance'], 'n % 10')},
       ${pick(['Kubernetes::Node', 'Kubernetes::Namespace', 'Kubernetes::Deployment', 'Kubernetes::Pod', 'Kubernetes::Pod', 'Kubernetes::Pod', 'Kubernetes::ConfigMap', 'Kubernetes::Service', 'AWS::RDS::DBInstance', 'AWS::EC2::Instance'], 'n % 10')},
       ${pick(namespaces, 'n / 10')} || '-' || substr(md5('name ' || n), 1, 6) || '-' || n,
       ${pick(['Running', 'Running', 'Running', 'Pending', 'Stopped'], 'n % 7')}, ${healthOf('n')}, n % 17 > 0, array['seed/' || n],
       jsonb_build_object('namespace', ${pick(namespaces, 'n / 10')}, 'cluster', ${pick(['eu', 'us', 'ap'], 'n % 3')}),
       jsonb_build_object('app', ${pick(['web', 'api', 'worker', 'cache', 'db'], 'n % 5')}, 'team', ${pick(['red', 'blue', 'green'], 'n % 3')}),
       jsonb_build_object('kind', 'Seed', 'number', n, 'spec', jsonb_build_object('replicas', n % 5, 'image', 'registry.example/app:' || n % 100)),
       ${parentOf('config', 'n')}, ${pathOf('config', 'n')}, (n % 1000) / 10.0, now(), now() - n % 2000 * interval '1 hour'
     from generate_series($1::bigint, $2::bigint - 1) as n on conflict (id) do nothing`,
    [from, to, seedAgent.id],
  )

export const changes =
  (configCount: number): Filler =>
  (sql, from, to) =>
    sql.run(
      `insert into config_changes (id, config_id, external_change_id, change_type, severity, source, summary, details, created_at, first_observed)
     select ${idOf('change', 'n')}, ${idOf('config', `n * 7919 % $3::bigint`)}, 'seed ' || n,
       ${pick(['diff', 'diff', 'Deployed', 'Scaled', 'Restarted', 'CertificateRotated'], 'n % 6')},
       ${pick(['info', 'info', 'low', 'medium', 'high', 'critical'], 'n / 6 % 6')}, 'seed', 'Change number ' || n,
       jsonb_build_object('by', 'seed'), now() - n % 43200 * interval '1 minute', now() - n % 43200 * interval '1 minute'
     from generate_series($1::bigint, $2::bigint - 1) as n on conflict (id) do nothing`,
      [from, to, configCount],
    )

/** A canary holds ten checks. */
export const canaries: Filler = (sql, from, to) =>
  sql.run(
    `insert into canaries (id, agent_id, name, namespace, labels, spec, source)
     select ${idOf('canary', 'n')}, $3, 'seed-' || n, ${pick(namespaces, 'n')}, '{"seed": "true"}', '{"http": [], "schedule": "@every 1m"}', 'seed'
     from generate_series($1::bigint / 10, ($2::bigint - 1) / 10) as n on conflict (id) do nothing`,
    [from, to, seedAgent.id],
  )

export const checks: Filler = async (sql, from, to) => {
  await canaries(sql, from, to)
  return sql.run(
    `insert into checks (id, canary_id, agent_id, type, name, namespace, labels, status, severity, last_runtime, last_transition_time, created_at, updated_at)
     select ${idOf('check', 'n')}, ${idOf('canary', 'n / 10')}, $3, ${pick(['http', 'http', 'dns', 'tcp', 'postgres', 'exec'], 'n % 6')},
       'check-' || n, ${pick(namespaces, 'n / 10')}, jsonb_build_object('app', ${pick(['web', 'api', 'worker', 'cache', 'db'], 'n % 5')}),
       case when n % 23 = 0 then 'unhealthy' else 'healthy' end, ${pick(['critical', 'high', 'medium', 'low'], 'n % 4')}, now(),
       now() - n % 500 * interval '1 minute', now() - interval '30 days', now()
     from generate_series($1::bigint, $2::bigint - 1) as n on conflict (id) do nothing`,
    [from, to, seedAgent.id],
  )
}

/** One result a minute for as many minutes, for the checks of these numbers. */
export const results =
  (perCheck: number): Filler =>
  async (sql, from, to) => {
    const rows = await sql.run(
      `insert into check_statuses (check_id, time, duration, status, severity)
     select ${idOf('check', 'n')}, date_trunc('minute', now()) - minute * interval '1 minute', 20 + (n * 31 + minute * 17) % 400,
       not (n % 23 = 0 or (n + minute) % 97 = 0), 'info'
     from generate_series($1::bigint, $2::bigint - 1) as n, generate_series(0, $3::int - 1) as minute on conflict do nothing`,
      [from, to, perCheck],
    )
    await sql.query(
      `select refresh_check_status_summary(array(select ${idOf('check', 'n')} from generate_series($1::bigint, $2::bigint - 1) as n))`,
      [from, to],
    )
    return rows
  }

export const components: Filler = (sql, from, to) =>
  sql.run(
    `insert into components (id, agent_id, topology_id, external_id, parent_id, path, name, type, namespace, labels, status, health, icon, is_leaf)
     select ${idOf('component', 'n')}, $3, '${topology}', 'seed/' || n, ${parentOf('component', 'n')}, ${pathOf('component', 'n')},
       ${pick(['checkout', 'cart', 'catalogue', 'payments', 'accounts', 'mail'], 'n % 6')} || '-' || n, ${pick(['System', 'Service', 'Database', 'Queue'], 'n % 4')},
       ${pick(namespaces, 'n')}, jsonb_build_object('tier', ${pick(['gold', 'silver', 'bronze'], 'n % 3')}), ${healthOf('n')}, ${healthOf('n')}, 'component', false
     from generate_series($1::bigint, $2::bigint - 1) as n on conflict (id) do nothing`,
    [from, to, seedAgent.id],
  )

export const incidents =
  (personId: string): Filler =>
  (sql, from, to) =>
    sql.run(
      `insert into incidents (id, title, description, created_by, commander_id, severity, type, status, created_at)
     select ${idOf('incident', 'n')}, 'Seeded incident ' || n, 'Made by quarterdeck seed.', $3, $3,
       ${pick(['Low', 'Medium', 'High', 'Critical', 'Blocker'], 'n % 5')}, ${pick(['availability', 'performance', 'cost', 'security'], 'n % 4')},
       ${pick(['open', 'open', 'investigating', 'mitigated', 'resolved', 'closed'], 'n % 6')}, now() - n % 90 * interval '1 day'
     from generate_series($1::bigint, $2::bigint - 1) as n on conflict (id) do nothing`,
      [from, to, personId],
    )

/** The rows of this transaction would wake every consumer once each; nothing really happened. */
export const forgetEvents = (sql: Sql) => sql.run('delete from event_queue where created_at = now()')

const seededIncidents = `select id from incidents where description = 'Made by quarterdeck seed.' and title like 'Seeded incident %'`
const ofIncidents = (table: string): [string, string] => [
  'incidents',
  `delete from ${table} where incident_id in (${seededIncidents})`,
]

/** What `--remove` does, children first. */
export const removals: [what: string, text: string][] = [
  [
    'incidents',
    `delete from evidences where hypothesis_id in (select id from hypotheses where incident_id in (${seededIncidents}))`,
  ],
  ...['comments', 'hypotheses', 'responders', 'incident_histories', 'incident_relationships'].map(ofIncidents),
  ['incidents', `delete from incidents where id in (${seededIncidents})`],
  ['components', `delete from components where agent_id = '${seedAgent.id}'`],
  ['checks', `delete from canaries where agent_id = '${seedAgent.id}'`],
  ['catalog', `delete from config_items where agent_id = '${seedAgent.id}'`],
  ['scraper', `delete from config_scrapers where agent_id = '${seedAgent.id}'`],
  ['topology', `delete from topologies where agent_id = '${seedAgent.id}'`],
  ['agent', `delete from agents where id = '${seedAgent.id}'`],
]

import type { Db } from '../../server/src/platform/db/db.ts'

export interface CatalogSize {
  items: number
  changes: number
  relationships: number
  insights: number
}

export const fullSize: CatalogSize = { items: 100_000, changes: 1_000_000, relationships: 300_000, insights: 50_000 }
export const smokeSize: CatalogSize = { items: 2_000, changes: 20_000, relationships: 6_000, insights: 1_000 }

/** The id of the n-th item, counted from 1. */
export const itemId = (n: number) => `018f0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const idOf = (n: string) => `('018f0000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

const types = [
  'Kubernetes::Pod', 'Kubernetes::Pod', 'Kubernetes::Pod', 'Kubernetes::ReplicaSet', 'Kubernetes::Deployment',
  'Kubernetes::Service', 'Kubernetes::ConfigMap', 'Kubernetes::Secret', 'Kubernetes::Node', 'Kubernetes::Namespace',
  'Kubernetes::Ingress', 'Kubernetes::Job', 'Kubernetes::CronJob', 'Kubernetes::StatefulSet', 'Kubernetes::DaemonSet',
  'Kubernetes::PersistentVolume', 'Kubernetes::PersistentVolumeClaim', 'Kubernetes::ServiceAccount',
  'Kubernetes::Role', 'Kubernetes::RoleBinding', 'Kubernetes::ClusterRole', 'Kubernetes::HorizontalPodAutoscaler',
  'Flux::Kustomization', 'Flux::HelmRelease', 'Flux::GitRepository', 'AWS::EC2::Instance', 'AWS::EC2::Volume',
  'AWS::EC2::SecurityGroup', 'AWS::EC2::Subnet', 'AWS::S3::Bucket', 'AWS::RDS::DBInstance', 'AWS::Lambda::Function',
  'AWS::IAM::Role', 'AWS::ElasticLoadBalancingV2::LoadBalancer', 'Azure::VirtualMachine', 'Azure::StorageAccount',
  'MSSQL::Database', 'GitHubActions::Workflow', 'AzureDevops::Pipeline', 'File::Configuration',
] // prettier-ignore

const list = (values: readonly string[]) => `array[${values.map((value) => `'${value}'`).join(',')}]`
const pick = (values: readonly string[], by: string) => `(${list(values)})[1 + (${by}) % ${values.length}]`

/**
 * A catalog of this size, spread over 40 types, 60 namespaces and 60 days. Triggers are off while rows are made; what
 * they would have kept (counts per item, tag and label lists) is made in one go afterwards.
 */
export async function seedCatalog(db: Db, size: CatalogSize, say: (text: string) => void): Promise<void> {
  const inBatches = async (what: string, total: number, step: number, fill: (from: number, to: number) => string) => {
    for (let from = 1; from <= total; from += step) {
      const to = Math.min(total, from + step - 1)
      await db.tx(async (sql) => {
        await sql.query('set local session_replication_role = replica')
        await sql.query(fill(from, to))
      })
      if (from % (step * 5) === 1) say(`${what}: ${to} of ${total}`)
    }
  }
  const type = pick(types, 'n')
  await inBatches(
    'items',
    size.items,
    20_000,
    (from, to) => `
    insert into config_items (id, config_class, type, name, status, health, external_id, labels, tags, config, properties,
      cost_per_minute, cost_total_1d, cost_total_7d, cost_total_30d, last_scraped_time, created_at, updated_at, deleted_at)
    select ${idOf('n')}, split_part(${type}, '::', 2), ${type},
      ${pick(['checkout', 'payments', 'orders', 'web', 'inventory', 'gateway', 'search', 'mail'], 'n / 3')} || '-' || substr(md5(n::text), 1, 8) || '-' || n,
      ${pick(['Running', 'Running', 'Running', 'Pending', 'Failed', 'Completed'], 'n')},
      ${pick(['healthy', 'healthy', 'healthy', 'healthy', 'warning', 'unhealthy', 'unknown'], 'n')}, array['ext/' || n],
      jsonb_build_object('app', 'app-' || n % 400, 'tier', ${pick(['front', 'back', 'data'], 'n')}, 'team', 'team-' || n % 23),
      jsonb_build_object('namespace', 'ns-' || n % 60, 'cluster', 'cluster-' || n % 3),
      jsonb_build_object('apiVersion', 'v1', 'kind', split_part(${type}, '::', 2), 'metadata', jsonb_build_object('name', 'item-' || n, 'uid', md5(n::text)),
        'spec', jsonb_build_object('replicas', n % 9, 'image', 'registry.example.test/team/image:' || n % 50, 'args', jsonb_build_array('--port', '8080'))),
      case when n % 4 = 0 then jsonb_build_array(jsonb_build_object('name', 'memory', 'value', n % 1024 * 1048576, 'max', 1073741824, 'unit', 'bytes')) end,
      case when n % 3 = 0 then n % 100 / 1000.0 end, case when n % 3 = 0 then n % 100 / 10.0 end,
      case when n % 3 = 0 then n % 100 * 0.7 end, case when n % 3 = 0 then n % 97 * 3.1 end,
      now() - n % 50 * interval '1 minute', now() - n % 200 * interval '1 day', now() - n % 43200 * interval '1 minute',
      case when n % 29 = 0 then now() - n % 100 * interval '1 hour' end
    from generate_series(${from}, ${to}) n`,
  )
  await inBatches(
    'changes',
    size.changes,
    50_000,
    (from, to) => `
    insert into config_changes (config_id, change_type, severity, source, summary, diff, patches, created_at, first_observed, count, external_created_by)
    select ${idOf(`1 + (n::bigint * 7919) % ${size.items}`)},
      ${pick(['diff', 'diff', 'diff', 'Pulled', 'Created', 'Scheduled', 'Killing', 'BackOff', 'Unhealthy', 'ScalingReplicaSet'], 'n')},
      ${pick(['info', 'info', 'info', 'info', 'low', 'low', 'medium', 'high', 'critical'], 'n / 7')},
      ${pick(['kubernetes/cluster-0', 'kubernetes/cluster-1', 'CloudTrail', 'git'], 'n')}, 'spec.replicas, metadata.generation ' || n % 300,
      case when n % 10 < 3 then E'--- before\n+++ after\n@@ -1,3 +1,3 @@\n spec:\n-  replicas: 1\n+  replicas: 2\n' end,
      case when n % 10 < 3 then '{"spec":{"replicas":1}}'::jsonb end,
      now() - n * (interval '60 days' / ${size.changes}), now() - n * (interval '60 days' / ${size.changes}) - interval '1 hour', 1 + n % 3,
      case when n % 5 = 0 then 'person-' || n % 40 || '@example.test' end
    from generate_series(${from}, ${to}) n`,
  )
  await inBatches(
    'relationships',
    size.relationships,
    50_000,
    (from, to) => `
    insert into config_relationships (config_id, related_id, relation, selector_id)
    select ${idOf(`1 + n % ${size.items}`)}, ${idOf(`1 + (n::bigint * 104729 + n / ${size.items} * 31) % ${size.items}`)},
      case n % 3 when 0 then 'hard' else 'rel-' || n % 5 end, 's'
    from generate_series(${from}, ${to}) n on conflict do nothing`,
  )
  await inBatches(
    'insights',
    size.insights,
    25_000,
    (from, to) => `
    insert into config_analysis (config_id, analyzer, analysis_type, severity, status, message, summary, analysis, first_observed, last_observed)
    select ${idOf(`1 + (n * 13) % ${size.items}`)}, 'rule-' || n % 120,
      ${pick(['security', 'cost', 'availability', 'performance', 'reliability', 'compliance'], 'n')},
      ${pick(['info', 'low', 'medium', 'high', 'critical'], 'n')}, ${pick(['open', 'open', 'resolved'], 'n')},
      'finding ' || n || ' of a rule that says what to do about it', 'finding ' || n, jsonb_build_object('rule', n % 120),
      now() - n % 60 * interval '1 day', now() - n % 70 * interval '12 hours'
    from generate_series(${from}, ${to}) n`,
  )
  say('counts and lists …')
  await db.query(`insert into config_item_facts (config_id, changes)
    select config_id, json_agg(json_build_object('change_type', change_type, 'severity', severity, 'total', total))
    from (select config_id, change_type, severity, count(*) as total from config_changes group by 1, 2, 3) as counted
    group by config_id on conflict do nothing`)
  await db.query('select keep_open_insights(array(select distinct config_id from config_analysis))')
  await db.query(`insert into config_values (kind, key, value, refs)
    select pair.kind, pair.key, pair.value, count(*) from config_items, lateral config_value_pairs(tags, labels) as pair
    where deleted_at is null group by 1, 2, 3`)
  await db.query('vacuum analyze')
}

import type { Db } from '../../server/src/platform/db/db.ts'

export interface ApiCase {
  title: string
  /** Below /api/db. */
  path: string
  prefer?: string
  /** Requests a second that must be reached. */
  atLeast?: number
}

const item = (n: number) => `018f0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
const person = '018f0000-0000-7000-9000-000000000001'
const scraper = '018f0000-0000-7000-9000-000000000002'

export const apiCases: Record<string, ApiCase> = {
  'one-row': {
    title: 'one row by id',
    path: `/config_items?id=eq.${item(4711)}&select=id,name,type,config_class,status,health,tags`,
    atLeast: 1500,
  },
  'counted-list': {
    title: 'a filtered list of 50 with count=exact over 100,000 items',
    path: '/configs?select=id,type,config_class,status,health,labels,name,tags,created_at,updated_at,deleted_at,changes,analysis&type=eq.Kubernetes::Pod&deleted_at=is.null&order=name.asc&limit=50',
    prefer: 'count=exact',
  },
  embeds: {
    title: 'embeds two levels deep',
    path: '/config_changes?select=id,change_type,created_at,config:configs(id,name,type,agent:agents(id,name))&order=created_at.desc&limit=50',
  },
  related: {
    title: 'rpc related_configs_recursive',
    path: `/rpc/related_configs_recursive?config_id=${item(1)}&include_deleted_configs=false&max_depth=10&type_filter=all&incoming_relation=both&outgoing_relation=both`,
  },
}

/** 100,000 items of ten types in trees of ten, with changes, findings and relationships. */
export async function seedApi(db: Db): Promise<void> {
  await db.query(`insert into people (id, name) values ('${person}', 'Bench')`)
  await db.query(
    `insert into config_scrapers (id, name, spec, source, created_by) values ('${scraper}', 'bench', '{}', 'UI', '${person}')`,
  )
  const id = (n: string) => `('018f0000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
  for (let from = 1; from <= 100_000; from += 20_000) {
    await db.query(
      `insert into config_items (id, scraper_id, config_class, type, name, status, health, external_id, labels, tags, config, created_by)
       select ${id('n')}, '${scraper}', (array['Pod','Deployment','Node','Service','Secret'])[n % 5 + 1],
         'Kubernetes::' || (array['Pod','Deployment','Node','Service','Secret'])[n % 5 + 1], 'item-' || n,
         (array['Running','Failed','Pending'])[n % 3 + 1], (array['healthy','unhealthy','warning'])[n % 3 + 1], array['ext/' || n],
         jsonb_build_object('app', 'app-' || n % 1000, 'tier', 'tier-' || n % 7), jsonb_build_object('namespace', 'ns-' || n % 50, 'cluster', 'c-' || n % 3),
         jsonb_build_object('kind', 'Pod', 'spec', jsonb_build_object('replicas', n % 9, 'image', repeat('registry/image:' || n, 4))), '${person}'
       from generate_series(${from}, ${from + 19_999}) n`,
    )
  }
  await db.query(`insert into config_relationships (config_id, related_id, relation, selector_id)
    select ${id('n')}, ${id('n * 10 + k')}, case when k % 2 = 0 then 'hard' else 'soft' end, 's' from generate_series(1, 50) n, generate_series(1, 3) k`)
  await db.query(`insert into config_changes (config_id, change_type, severity, source, summary, created_at)
    select ${id('n')}, 'diff', 'info', 'bench', 'change ' || n, now() - n * interval '1 second' from generate_series(1, 5000) n`)
  await db.query(`insert into config_analysis (config_id, analyzer, analysis_type, severity, status, message)
    select ${id('n')}, 'scan', 'security', 'high', 'open', 'finding' from generate_series(1, 2000) n`)
  await db.query('vacuum analyze')
}

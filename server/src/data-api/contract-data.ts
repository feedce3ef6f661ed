import type { TestDatabase } from '../testing/database.ts'
import { actor } from './testing.ts'

/** One of everything the console reads, wired together. Ids are made of a letter per kind. */
const uuid = (tail: string) => `018f0000-0000-7000-8000-${tail.padStart(12, '0')}`

export const id = {
  ada: actor,
  bob: uuid('b0b'),
  agent: uuid('a9e'),
  team: uuid('7ea'),
  canary: uuid('ca0'),
  check: uuid('c4e'),
  topology: uuid('70b'),
  component: uuid('c01'),
  child: uuid('c02'),
  scraper: uuid('5c0'),
  config: uuid('cf1'),
  pod: uuid('cf2'),
  gone: uuid('cf3'),
  change: uuid('c4a'),
  analysis: uuid('a4a'),
  incident: uuid('111'),
  hypothesis: uuid('491'),
  evidence: uuid('ed1'),
  comment: uuid('c03'),
  responder: uuid('4e5'),
  playbook: uuid('b1a'),
  run: uuid('b1b'),
  action: uuid('b1c'),
  notification: uuid('070'),
  connection: uuid('c07'),
  rule: uuid('e01'),
  backend: uuid('bac'),
}
export const local = '00000000-0000-0000-0000-000000000000'

export async function seedContract(db: TestDatabase): Promise<void> {
  await db.query(`
    insert into people (id, name, avatar, email) values
      ('${id.ada}', 'Ada Example', 'ada.png', 'ada@example.test'), ('${id.bob}', 'Bob Example', null, 'bob@example.test');
    insert into casbin_rule (ptype, v0, v1) values ('g', '${id.ada}', 'admin');
    insert into identities (id, schema_id, traits, state) values
      ('${id.bob}', 'default', '{"email": "bob@example.test", "name": {"first": "Bob", "last": "Example"}}', 'active');
    insert into agents (id, name, properties, tls, created_by) values ('${id.agent}', 'eu-cluster', '{"region": "eu"}', 'key', '${id.ada}');
    insert into teams (id, name, icon, spec, created_by) values ('${id.team}', 'Payments', 'team', '{"responder_clients": {}}', '${id.ada}');
    insert into team_members (team_id, person_id) values ('${id.team}', '${id.ada}');
    insert into properties (name, value, created_by) values ('logs.disable', 'true', '${id.ada}');

    insert into canaries (id, name, namespace, spec, labels, source, created_by) values
      ('${id.canary}', 'shop', 'default', '{"schedule": "@every 1m", "http": []}', '{"tier": "front"}', 'kubernetes/1', '${id.ada}');
    insert into checks (id, canary_id, type, name, namespace, status, icon, labels, severity, last_runtime) values
      ('${id.check}', '${id.canary}', 'http', 'home page', 'default', 'healthy', 'web', '{"tier": "front"}', 'high', now());
    insert into check_statuses (check_id, time, status, duration, message) select '${id.check}', now() - n * interval '1 minute', n % 5 <> 0, n * 10, 'ok' from generate_series(1, 60) n;

    insert into topologies (id, name, namespace, spec, created_by) values ('${id.topology}', 'shop', 'default', '{}', '${id.ada}');
    insert into components (id, topology_id, external_id, name, icon, type, status, labels, log_selectors) values
      ('${id.component}', '${id.topology}', 'shop', 'shop', 'web', 'Application', 'healthy', '{"app": "shop"}', '[{"name": "app"}]');
    insert into components (id, topology_id, external_id, name, type, status, parent_id) values
      ('${id.child}', '${id.topology}', 'api', 'api', 'Service', 'unhealthy', '${id.component}');
    insert into team_components (team_id, component_id, role) values ('${id.team}', '${id.component}', 'owner');
    insert into check_component_relationships (component_id, check_id, canary_id, selector_id) values ('${id.component}', '${id.check}', '${id.canary}', 's');

    insert into config_scrapers (id, name, spec, source, created_by) values ('${id.scraper}', 'kubernetes', '{}', 'UI', '${id.ada}');
    insert into config_items (id, scraper_id, config_class, type, name, status, health, external_id, labels, tags, config, deleted_at) values
      ('${id.config}', '${id.scraper}', 'Deployment', 'Kubernetes::Deployment', 'web', 'Running', 'healthy', '{k8s/web,PROJ}', '{"app": "web", "app.kubernetes.io/name": "web"}', '{"namespace": "shop", "cluster": "eu"}', '{"kind": "Deployment"}', null),
      ('${id.pod}', '${id.scraper}', 'Pod', 'Kubernetes::Pod', 'web-1', 'Failed', 'unhealthy', '{k8s/web-1}', '{"app": "web"}', '{"namespace": "shop"}', '{"kind": "Pod"}', null),
      ('${id.gone}', '${id.scraper}', 'Pod', 'Kubernetes::Pod', 'web-0', null, null, '{k8s/web-0}', null, null, null, now());
    insert into config_relationships (config_id, related_id, relation, selector_id) values ('${id.config}', '${id.pod}', 'hard', 's');
    insert into check_config_relationships (config_id, check_id, canary_id, selector_id) values ('${id.config}', '${id.check}', '${id.canary}', 's');
    insert into config_component_relationships (component_id, config_id, selector_id) values ('${id.component}', '${id.config}', 'auto');
    insert into config_changes (id, config_id, change_type, severity, source, summary, details, diff, created_by) values
      ('${id.change}', '${id.config}', 'diff', 'info', 'kubernetes', 'spec.replicas', '{"a": 1}', '-1 +2', null);
    insert into config_analysis (id, config_id, analyzer, analysis_type, severity, status, message, analysis, source, last_observed) values
      ('${id.analysis}', '${id.config}', 'image-scan', 'security', 'high', 'open', '<b>old image</b>', '{}', 'trivy', now());

    insert into incident_rules (id, name, spec, created_by) values ('${id.rule}', 'any', '{}', '${id.ada}');
    insert into incidents (id, title, created_by, commander_id, communicator_id, severity, description, type, status) values
      ('${id.incident}', 'Checkout slow', '${id.ada}', '${id.ada}', '${id.bob}', 'high', '', 'performance', 'open');
    insert into responders (id, incident_id, type, team_id, created_by, properties) values
      ('${id.responder}', '${id.incident}', 'system', '${id.team}', '${id.ada}', '{"responderType": "person"}');
    insert into hypotheses (id, created_by, incident_id, type, title, status) values ('${id.hypothesis}', '${id.ada}', '${id.incident}', 'root', 'Checkout slow', 'possible');
    insert into evidences (id, description, hypothesis_id, component_id, config_id, config_change_id, config_analysis_id, check_id, created_by, type) values
      ('${id.evidence}', '', '${id.hypothesis}', '${id.component}', '${id.config}', '${id.change}', '${id.analysis}', '${id.check}', '${id.ada}', 'topology');
    insert into comments (id, created_by, comment, incident_id, hypothesis_id, responder_id) values
      ('${id.comment}', '${id.ada}', 'looking', '${id.incident}', '${id.hypothesis}', '${id.responder}');

    insert into playbooks (id, name, title, spec, source, category, created_by) values
      ('${id.playbook}', 'scale', 'Scale deployment', '{"icon": "scale", "actions": []}', 'UI', 'ops', '${id.ada}');
    insert into playbook_runs (id, playbook_id, status, start_time, scheduled_time, config_id, component_id, check_id, parameters, created_by) values
      ('${id.run}', '${id.playbook}', 'running', now(), now(), '${id.config}', '${id.component}', '${id.check}', '{"replicas": "3"}', '${id.ada}');
    insert into playbook_run_actions (id, name, status, playbook_run_id, start_time, scheduled_time, result) values
      ('${id.action}', 'step', 'completed', '${id.run}', now(), now(), '{"stdout": "done"}');

    insert into notifications (id, title, events, filter, template, person_id, team_id, created_by, source) values
      ('${id.notification}', 'On failure', '{check.failed}', 'true', 'hi', '${id.bob}', null, '${id.ada}', 'UI');
    insert into connections (id, name, type, url, username, password, properties, created_by) values
      ('${id.connection}', 'db', 'postgres', 'postgres://$(username):$(password)@db', 'root', 'hunter2', '{"sslmode": "off"}', '${id.ada}');
    insert into logging_backends (id, name, spec, source, created_by) values ('${id.backend}', 'loki', '{}', 'UI', '${id.ada}');
    insert into job_history (name, status, resource_type, resource_id, time_start, duration_millis, success_count, error_count, details)
      select case when n % 2 = 0 then 'TopologyRun' else 'Scrape' end, case when n % 3 = 0 then 'FAILED' else 'SUCCESS' end,
        'topology', '${id.topology}', now(), n * 100, n, 0, '{}' from generate_series(1, 30) n;
    insert into event_queue (name, properties, error, attempts, last_attempt) values ('notification.send', '{"id": "1"}', 'refused', 2, now());
    analyze;
  `)
}

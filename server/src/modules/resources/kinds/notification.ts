import type { ResourceDocument } from '@quarterdeck/contract/documents'
import { isUuid } from '../../../platform/ids.ts'
import { type Columns, compact, DocumentProblem, fromFile, type KindStore, type KindTools } from './kind-store.ts'

interface Recipient {
  person?: string
  team?: string
  email?: string
  connection?: string
  url?: string
  properties?: Record<string, string>
}
interface Spec {
  events: string[]
  title?: string
  template?: string
  filter?: string
  repeatInterval?: string
  groupBy?: string[]
  to: Recipient
}

/** Rows have no name: what a document is called lives in resource_files. */
export const notification: KindStore = {
  kind: 'Notification',
  table: 'notifications',
  columns: {
    events: 'text[]',
    title: 'text',
    template: 'text',
    filter: 'text',
    properties: 'jsonb',
    person_id: 'uuid',
    team_id: 'uuid',
    custom_services: 'jsonb',
    repeat_interval: 'text',
    group_by: 'text[]',
  },
  source: () => fromFile,
  sourceType: 'source',
  defaultNamespace: '',
  nameColumns: [],
  async toColumns(document, tools) {
    const spec = document.spec as unknown as Spec
    return {
      events: spec.events,
      title: spec.title ?? null,
      template: spec.template ?? null,
      filter: spec.filter ?? null,
      repeat_interval: spec.repeatInterval ?? null,
      group_by: spec.groupBy ?? null,
      ...(await recipientColumns(document, spec.to, tools)),
    }
  },
  async toDocument(row, { sql }) {
    const [service] = (row.custom_services ?? []) as Columns[]
    const person = row.person_id
      ? await sql.maybeOne<{ email: string | null }>('select email from people where id = $1', [row.person_id])
      : undefined
    const team = row.team_id
      ? await sql.maybeOne<{ name: string }>('select name from teams where id = $1', [row.team_id])
      : undefined
    const mail =
      typeof service?.url === 'string' ? /^smtp:\/\/system\/\?To=([^&]+)$/i.exec(service.url)?.[1] : undefined
    return {
      metadata: {
        name: String(row.title || row.id)
          .replaceAll(/[^\w.-]+/g, '-')
          .slice(0, 100),
      },
      spec: compact({
        events: row.events,
        title: row.title,
        template: row.template,
        filter: row.filter,
        repeatInterval: row.repeat_interval,
        groupBy: row.group_by,
        to: compact({
          person: row.person_id ? (person?.email ?? row.person_id) : undefined,
          team: row.team_id ? (team?.name ?? row.team_id) : undefined,
          email: mail ? decodeURIComponent(mail) : undefined,
          url: mail ? undefined : service?.url,
          connection: service?.connection,
          properties: service?.properties ?? row.properties,
        }),
      }),
    }
  },
}

async function recipientColumns({ metadata }: ResourceDocument, to: Recipient, { sql }: KindTools): Promise<Columns> {
  const none = { person_id: null, team_id: null, custom_services: null, properties: null }
  if (to.person !== undefined)
    return { ...none, person_id: await personOf(sql, to.person), properties: to.properties ?? null }
  if (to.team !== undefined) return { ...none, team_id: await teamOf(sql, to.team), properties: to.properties ?? null }
  const url = to.email === undefined ? to.url : `smtp://system/?To=${encodeURIComponent(to.email)}`
  const service = compact({ name: metadata.name, url, connection: to.connection, properties: to.properties })
  return { ...none, custom_services: [service] }
}

async function personOf(sql: KindTools['sql'], person: string): Promise<string> {
  const row = await sql.maybeOne<{ id: string }>(
    `select id from people where deleted_at is null and ${isUuid(person) ? 'id = $1::uuid' : 'lower(email) = lower($1)'} limit 1`,
    [person],
  )
  if (!row) throw new DocumentProblem(`there is no person ${person}`, ['spec', 'to', 'person'])
  return row.id
}

async function teamOf(sql: KindTools['sql'], team: string): Promise<string> {
  const row = await sql.maybeOne<{ id: string }>(
    `select id from teams where deleted_at is null and ${isUuid(team) ? 'id = $1::uuid' : 'name = $1'} limit 1`,
    [team],
  )
  if (!row) throw new DocumentProblem(`there is no team ${team}`, ['spec', 'to', 'team'])
  return row.id
}

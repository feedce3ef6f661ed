import type { Sql } from '../../platform/db/db.ts'
import type { Event } from './event.ts'

/** Failed tries after which an event is left alone: 1 min, 32 min and 4 h 3 min lie between the four. */
export const maxAttempts = 3
const waitsNoMore = `attempts <= ${maxAttempts} and (last_attempt is null or last_attempt < now() - power(attempts, 5) * interval '60 seconds')`

/** Newest-priority-first picks of each name, merged; per name the index gives them in order, however long the queue is. */
const due = `
  select e.id, e.priority, e.created_at from unnest($1::text[]) as wanted(name)
  cross join lateral (
    select id, priority, created_at from event_queue
    where event_queue.name = wanted.name and not dead_letter and ${waitsNoMore}
    order by priority desc, created_at limit $2 for update skip locked
  ) e
  order by e.priority desc, e.created_at limit $2`

interface EventRow {
  id: string
  name: string
  properties: Record<string, string> | null
  created_at: Date
  attempts: number
  token: string
}
export interface ClaimedEvent extends Event {
  /** Proves that the row is still the one that was claimed, not the same event queued anew. */
  token: string
}
const toEvent = (row: EventRow): ClaimedEvent => ({
  id: row.id,
  name: row.name,
  properties: row.properties ?? {},
  createdAt: row.created_at,
  attempts: row.attempts,
  token: row.token,
})

/** Locks events for this transaction; they leave the queue when it deletes them. */
export async function lockEvents(sql: Sql, names: readonly string[], limit: number): Promise<Event[]> {
  const rows = await sql.query<EventRow>(
    `with due as materialized (${due})
     select q.id, q.name, q.properties, q.created_at, q.attempts from due join event_queue q using (id)
     order by due.priority desc, due.created_at`,
    [names, limit],
  )
  return rows.map(toEvent)
}

export async function deleteEvents(sql: Sql, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql.run('delete from event_queue where id = any($1::uuid[])', [ids])
}

/** Writes a failed try inside the transaction that holds the event. */
export async function failLocked(sql: Sql, id: string, error: string): Promise<void> {
  await sql.run(
    `update event_queue set attempts = attempts + 1, last_attempt = now(), error = $2, dead_letter = attempts + 1 > ${maxAttempts}
     where id = $1`,
    [id, error],
  )
}

/**
 * Takes events for work outside a transaction. They stay in the table, counted as tried: when the worker dies they come
 * again after the pause of a failed try, so nothing is lost.
 */
export async function takeEvents(sql: Sql, names: readonly string[], limit: number): Promise<ClaimedEvent[]> {
  const rows = await sql.query<EventRow>(
    `with due as materialized (${due})
     update event_queue q set attempts = q.attempts + 1, last_attempt = clock_timestamp() from due where q.id = due.id
     returning q.id, q.name, q.properties, q.created_at, q.attempts - 1 as attempts, q.last_attempt::text as token`,
    [names, limit],
  )
  return rows.map(toEvent)
}

/** Says that the work goes on; returns the new token, or undefined when the event is no longer ours. */
export async function renewEvent(sql: Sql, id: string, token: string): Promise<string | undefined> {
  const row = await sql.maybeOne<{ token: string }>(
    `update event_queue set last_attempt = clock_timestamp() where id = $1 and last_attempt = $2::timestamptz
     returning last_attempt::text as token`,
    [id, token],
  )
  return row?.token
}

/** Removes a handled event, unless it was queued anew meanwhile. */
export async function finishEvent(sql: Sql, id: string, token: string): Promise<void> {
  await sql.run('delete from event_queue where id = $1 and last_attempt = $2::timestamptz', [id, token])
}

export async function failTaken(sql: Sql, id: string, token: string, error: string): Promise<void> {
  await sql.run(
    `update event_queue set error = $3, last_attempt = clock_timestamp(), dead_letter = attempts > ${maxAttempts}
     where id = $1 and last_attempt = $2::timestamptz`,
    [id, token, error],
  )
}

/** Events whose last try ended with its worker: they are failed, and should look so. */
export async function buryAbandoned(sql: Sql): Promise<number> {
  return sql.run(
    `update event_queue set dead_letter = true, error = coalesce(error, 'the worker died while handling this event')
     where attempts > ${maxAttempts} and not dead_letter and last_attempt < now() - interval '10 minutes'`,
  )
}

/** Puts an event on the queue; the same event again makes it fresh. */
export async function queueEvent(sql: Sql, name: string, properties: Record<string, string>): Promise<void> {
  await sql.run(
    `insert into event_queue (name, properties) values ($1, $2)
     on conflict (name, md5(coalesce(properties::text, ''))) do update
       set created_at = now(), last_attempt = null, attempts = 0, error = null, dead_letter = false`,
    [name, JSON.stringify(properties)],
  )
}

const fresh = 'attempts = 0, last_attempt = null, error = null, dead_letter = false'
const wake = `select pg_notify('event_queue_updates', $1)`

/** Makes an event due at once; undefined when there is none. */
export async function retryEvent(sql: Sql, id: string): Promise<{ name: string } | undefined> {
  const row = await sql.maybeOne<{ name: string }>(`update event_queue set ${fresh} where id = $1 returning name`, [id])
  if (row) await sql.query(wake, [row.name])
  return row
}

export async function discardEvent(sql: Sql, id: string): Promise<{ name: string } | undefined> {
  return sql.maybeOne<{ name: string }>('delete from event_queue where id = $1 returning name', [id])
}

export async function retryFailed(sql: Sql, name: string): Promise<number> {
  const count = await sql.run(`update event_queue set ${fresh} where name = $1 and error is not null`, [name])
  if (count > 0) await sql.query(wake, [name])
  return count
}

export const discardFailed = (sql: Sql, name: string): Promise<number> =>
  sql.run('delete from event_queue where name = $1 and error is not null', [name])

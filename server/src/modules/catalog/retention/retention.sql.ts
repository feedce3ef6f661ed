import type { Sql } from '../../../platform/db/db.ts'

export interface ChangeRule {
  name: string
  ageMs: number | null
  count: number | null
}

/**
 * Changes of one type of a scraper's items that are too old or too many; at most `limit` go, and how many is answered.
 * What an evidence shows stays.
 */
export async function dropChanges(sql: Sql, scraperId: string, rule: ChangeRule, limit: number): Promise<number> {
  const kept = 'not exists (select from evidences e where e.config_change_id = c.id)'
  let gone = 0
  if (rule.ageMs !== null)
    gone += await sql.run(
      `delete from config_changes where id in (
         select c.id from config_changes c join config_items i on i.id = c.config_id
          where i.scraper_id = $1 and c.change_type = $2 and c.created_at < now() - $3 * interval '1 millisecond' and ${kept}
          limit $4)`,
      [scraperId, rule.name, rule.ageMs, limit],
    )
  if (rule.count !== null)
    gone += await sql.run(
      `delete from config_changes where id in (
         select ranked.id from (
           select c.id, row_number() over (partition by c.config_id order by c.created_at desc, c.id desc) as place
             from config_changes c join config_items i on i.id = c.config_id
            where i.scraper_id = $1 and c.change_type = $2) as ranked
          where ranked.place > $3 and not exists (select from evidences e where e.config_change_id = ranked.id)
          limit $4)`,
      [scraperId, rule.name, rule.count, limit],
    )
  return gone
}

/**
 * Steps that no kept change needs any more: those before the oldest change of their item that still has one. Rebuilding
 * a version walks down from the newest, so nothing newer may go.
 */
export const dropSteps = (sql: Sql, limit: number): Promise<number> =>
  sql.run(
    `delete from config_change_undos u using (
       select config_id, min(step) filter (where exists (select from config_changes c where c.id = s.change_id)) as oldest
         from config_change_undos s
        where config_id in (
          -- items whose lowest step has lost its change
          select l.config_id from (select distinct on (config_id) config_id, change_id from config_change_undos order by config_id, step) as l
           where l.change_id is null or not exists (select from config_changes c where c.id = l.change_id)
           limit $1)
        group by config_id) as kept
     where u.config_id = kept.config_id and (kept.oldest is null or u.step < kept.oldest)`,
    [limit],
  )

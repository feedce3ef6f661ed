import type { Sql } from '../../../platform/db/db.ts'
import type { Json } from '../ingest/canonical.ts'

/** A change, and its newest step when it changed the document. */
export const changeForVersions = (
  sql: Sql,
  id: string,
): Promise<{ config_id: string; change_type: string | null; step: number | null } | undefined> =>
  sql.maybeOne(
    `select c.config_id, c.change_type, (select max(u.step) from config_change_undos u where u.change_id = c.id) as step
       from config_changes c where c.id = $1`,
    [id],
  )

export const itemForVersions = (
  sql: Sql,
  id: string,
): Promise<{ config: Json; config_hash: Buffer | null; steps: number } | undefined> =>
  sql.maybeOne(
    `select i.config, s.config_hash, coalesce(s.steps, 0) as steps
       from config_items i left join config_item_states s on s.config_id = i.id where i.id = $1`,
    [id],
  )

/** The way back from the newest version to the one before this step. */
export const stepsDownTo = (sql: Sql, configId: string, step: number): Promise<{ step: number; undo: Json }[]> =>
  sql.query('select step, undo from config_change_undos where config_id = $1 and step >= $2 order by step desc', [
    configId,
    step,
  ])

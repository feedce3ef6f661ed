import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { newId } from '../ids.ts'
import { durationProperty, numberProperty, readProperties } from '../properties.ts'
import { insertArtifact, trimArtifactsOfCheck } from './artifacts.sql.ts'

export interface ArtifactFile {
  /** Relative, with slashes. */
  path: string
  content: Uint8Array
  contentType: string
}

/** Whose files they are: those of one run of a check, or of one step of a playbook run. */
export type ArtifactOwner = { checkId: string; time: Date } | { actionId: string }

const megabyte = 1024 * 1024

/**
 * Keeps files in the database. Those of checks, which come with every run, go after a while
 * (`artifacts.check.retention.age`, 7 days), and the oldest go when a check has too much (`artifacts.check.max-megabytes`).
 */
export async function keepArtifacts(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  owner: ArtifactOwner,
  files: readonly ArtifactFile[],
): Promise<string[]> {
  if (files.length === 0) return []
  const properties = await readProperties(ctx)
  const ofCheck = 'checkId' in owner ? owner : undefined
  const now = ctx.clock.now().getTime()
  const age = durationProperty(properties, 'artifacts.check.retention.age', '7d')
  const folder = ofCheck
    ? `checks/${ofCheck.checkId}/${BigInt(ofCheck.time.getTime()) * 1_000_000n}`
    : `playbooks/${(owner as { actionId: string }).actionId}`
  const ids: string[] = []
  await ctx.db.tx(async (sql) => {
    for (const { path, content, contentType } of files) {
      const id = newId(now)
      await insertArtifact(sql, {
        id,
        check_id: ofCheck?.checkId ?? null,
        check_time: ofCheck ? toSecond(ofCheck.time) : null,
        playbook_run_action_id: ofCheck ? null : (owner as { actionId: string }).actionId,
        path: `${folder}/${path}`,
        filename: path,
        content_type: contentType,
        size: content.length,
        checksum: createHash('sha256').update(content).digest('hex'),
        expires_at: ofCheck ? new Date(now + age) : null,
        content,
      })
      ids.push(id)
    }
    if (ofCheck) {
      const most = numberProperty(properties, 'artifacts.check.max-megabytes', 200) * megabyte
      await trimArtifactsOfCheck(sql, ofCheck.checkId, most)
    }
  })
  return ids
}

/** As the history stores the time of a run. */
const toSecond = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000)

import type { ChangeVersions } from '@quarterdeck/contract/catalog'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { canonical, contentHash, type Json } from '../ingest/canonical.ts'
import { applyMergePatch } from '../ingest/merge-patch.ts'
import { changeForVersions, itemForVersions, stepsDownTo } from './versions.sql.ts'

type Document = Record<string, unknown>

const unknown = (reason: string): ChangeVersions => ({ before: null, after: null, complete: false, reason })

/**
 * The item before and after a change, rebuilt by walking back from the document as it is now. Of a change that happened
 * several times it is the last time.
 */
export async function versionsOfChange(ctx: Context, changeId: string): Promise<ChangeVersions> {
  const change = await changeForVersions(ctx.db, changeId)
  if (!change) throw notFound(`change (${changeId})`)
  if (change.step === null) {
    return unknown(
      change.change_type === 'diff'
        ? 'This change was recorded by another server, which kept the way back to itself.'
        : 'This change came from its source, which told no document with it.',
    )
  }
  const item = await itemForVersions(ctx.db, change.config_id)
  if (!item) return unknown('The item is no longer stored.')
  let after: Json = canonical(item.config)
  if (item.config_hash === null || !contentHash(after).equals(item.config_hash))
    return unknown('The stored document was changed by something else than its scraper.')
  const steps = await stepsDownTo(ctx.db, change.config_id, change.step)
  for (const [index, { step, undo }] of steps.entries()) {
    if (step !== item.steps - index)
      return unknown('A later change of this item was removed, and the way back with it.')
    if (step === change.step)
      return { before: documentOf(applyMergePatch(after, undo)), after: documentOf(after), complete: true }
    after = applyMergePatch(after, undo)
  }
  return unknown('A later change of this item was removed, and the way back with it.')
}

const documentOf = (value: Json): Document | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { content: value }

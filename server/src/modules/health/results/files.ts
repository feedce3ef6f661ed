import type { Context } from '../../../context.ts'
import { keepArtifacts } from '../../../platform/artifacts/artifacts.ts'
import type { Finished } from '../run/finish.ts'

/** Keeps the files of a run. The result stands without them: a database that does not answer costs the files only. */
export async function keepFiles(
  ctx: Context,
  checkId: string,
  start: number,
  results: readonly Finished[],
): Promise<void> {
  const files = results.flatMap((result) => result.artifacts ?? [])
  if (files.length === 0) return
  await keepArtifacts(ctx, { checkId, time: new Date(start) }, files).catch((error: unknown) =>
    ctx.log.warn({ err: error, check: checkId, files: files.length }, 'the files of a check could not be kept'),
  )
}

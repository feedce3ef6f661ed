import type { Context } from '../context.ts'
import { firstAdministrator } from '../platform/auth/directory.ts'
import { StartupError } from '../platform/errors.ts'
import {
  changes,
  checks,
  components,
  configs,
  type Filler,
  forgetEvents,
  incidents,
  prepare,
  removals,
  results,
} from './seed.sql.ts'

export interface SeedRequest {
  configs: number
  changes: number
  checks: number
  /** Results of the last so many minutes, for every check. */
  results: number
  components: number
  incidents: number
}

export type Progress = (what: string, done: number, total: number) => void

/** Fills the database for benches and for a look at a full console. Running it again adds only what is missing. */
export async function seed(ctx: Context, request: SeedRequest, onProgress: Progress): Promise<void> {
  await prepare(ctx.db)
  await fill(ctx, 'configs', configs, request.configs, 5000, onProgress)
  if (request.changes > 0 && request.configs === 0)
    throw new StartupError('Changes belong to catalog items: give --configs too.')
  await fill(ctx, 'changes', changes(request.configs), request.changes, 5000, onProgress)
  await fill(ctx, 'checks', checks, request.checks, 2000, onProgress)
  if (request.results > 0) await fill(ctx, 'results', results(request.results), request.checks, 200, onProgress)
  await fill(ctx, 'components', components, request.components, 2000, onProgress)
  if (request.incidents > 0) {
    const admin = await firstAdministrator(ctx.db)
    if (!admin) throw new StartupError('Incidents need a person who made them: start the product once.')
    await fill(ctx, 'incidents', incidents(admin.id), request.incidents, 1000, onProgress)
  }
  await ctx.db.query('analyze')
}

async function fill(
  ctx: Context,
  what: string,
  filler: Filler,
  total: number,
  batch: number,
  onProgress: Progress,
): Promise<void> {
  for (let from = 0; from < total; from += batch) {
    const to = Math.min(total, from + batch)
    await ctx.db.tx(async (sql) => {
      await filler(sql, from, to)
      await forgetEvents(sql)
    })
    onProgress(what, to, total)
  }
}

export async function removeSeed(ctx: Context, onProgress: (what: string) => void): Promise<void> {
  let last = ''
  for (const [what, text] of removals) {
    if (what !== last) onProgress(what)
    last = what
    await ctx.db.tx(async (sql) => {
      await sql.run(text)
      await forgetEvents(sql)
    })
  }
}

import { type FSWatcher, watch } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Context } from '../../context.ts'
import { StartupError } from '../../platform/errors.ts'
import { repeatWhenWoken } from '../../platform/repeat.ts'
import { balanced, defineJob, type JobRun } from '../jobs/job.ts'
import { runJob } from '../jobs/run-job.ts'
import { applyDocuments, type Outcome } from './apply.ts'
import { findFiles, type FoundFile, loadFiles } from './files.ts'
import { isOfProduct } from './first-start.ts'
import { readOrigin } from './origin.ts'
import { describeProblem } from './problem.ts'
import { allRecords } from './resources.sql.ts'

const lookEveryMs = 5000
const settleMs = 300
/** Applied again after this even when no file changed: rows may have been changed elsewhere, missing people added. */
const againMs = 5 * 60_000
const againAfterProblemsMs = 2 * 60_000
/** An empty folder may be one that is not mounted yet: it must stay empty this long before everything goes. */
const emptyForMs = 60_000

export interface FolderState {
  /** What the files looked like when they were last applied. */
  stamp: string
  appliedAt: number
  hadProblems: boolean
  emptySince: number | undefined
}
export const freshState = (): FolderState => ({
  stamp: '',
  appliedAt: -Infinity,
  hadProblems: false,
  emptySince: undefined,
})

/** The documents of the watched folder; those that come with the product live below the same name and are not among them. */
async function folderFiles(folder: string): Promise<FoundFile[] | undefined> {
  try {
    const files = await findFiles(folder)
    return files.filter((file) => !isOfProduct(file.path))
  } catch (error) {
    if (error instanceof StartupError) throw error
    return undefined
  }
}

/** Looks at the folder once and applies it when something changed. True when it was applied. */
export async function syncFolder(
  ctx: Context,
  folder: string,
  state: FolderState,
  now = performance.now(),
): Promise<boolean> {
  const files = await folderFiles(folder)
  // A folder that is not there says nothing: rows stay.
  if (!files) return false
  if (files.length === 0) {
    state.emptySince ??= now
    if (
      !(await allRecords(ctx.db)).some((record) => readOrigin(record.source).type === 'folder') ||
      now - state.emptySince < emptyForMs
    )
      return false
  } else state.emptySince = undefined

  const stamp = files.map((file) => `${file.path} ${file.stamp}`).join('\n')
  const due = now - state.appliedAt > (state.hadProblems ? againAfterProblemsMs : againMs)
  if (stamp === state.stamp && !due) return false
  const outcome = await runJob(ctx, syncJob(folder, files))
  if (outcome.status === 'SKIPPED') return false
  state.stamp = stamp
  state.appliedAt = now
  state.hadProblems = outcome.errorCount > 0
  return true
}

/** A job, so that what is wrong with a file shows in the job history, and that only one process does it at a time. */
const syncJob = (folder: string, files: readonly FoundFile[]) =>
  defineJob({
    name: 'SyncResourceFiles',
    retention: balanced,
    run: async (ctx, run) => {
      const loaded = await loadFiles(files.map((file) => file.path))
      for (const problem of loaded.problems)
        run.error(describeProblem({ ...problem, file: relative(folder, problem.file) }))
      const outcomes = await applyDocuments(ctx, { origin: 'folder', ...loaded, covers: () => true }, { prune: true })
      report(folder, outcomes, run)
    },
  })

function report(folder: string, outcomes: readonly Outcome[], run: JobRun): void {
  const counts: Record<string, number> = {}
  for (const { action, problem, kind, name } of outcomes) {
    counts[action] = (counts[action] ?? 0) + 1
    if (problem) run.error(describeProblem({ ...problem, file: relative(folder, problem.file) }))
    else run.success()
    if (['created', 'changed', 'removed'].includes(action)) run.log.info({ kind, name }, `resource ${action}`)
  }
  run.details.summary = { resources: counts }
}

export interface FolderWatch {
  stop(): Promise<void>
}

/** Keeps the rows in step with the folder: told by the file system where it can tell, and by looking every few seconds. */
export function watchFolder(ctx: Context, path = ctx.config.QUARTERDECK_RESOURCES_DIR): FolderWatch {
  const folder = resolve(path)
  const log = ctx.log.child({ part: 'resources' })
  const state = freshState()
  let watcher: FSWatcher | undefined
  let settle: NodeJS.Timeout | undefined

  const loop = repeatWhenWoken(
    async () => {
      watcher ??= open()
      await syncFolder(ctx, folder, state)
    },
    {
      pollMs: lookEveryMs,
      retryMs: lookEveryMs,
      onError: (error) => log.warn({ err: error, folder }, 'could not apply the resources folder'),
    },
  )
  function open(): FSWatcher | undefined {
    try {
      const opened = watch(folder, { recursive: true, persistent: false }, () => {
        clearTimeout(settle)
        settle = setTimeout(() => loop.wake(), settleMs)
      })
      opened.on('error', () => {
        opened.close()
        watcher = undefined
      })
      return opened
    } catch {
      return undefined
    }
  }
  return {
    async stop() {
      clearTimeout(settle)
      watcher?.close()
      await loop.stop()
    },
  }
}

import { stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import type { Context } from '../../context.ts'
import { StartupError } from '../../platform/errors.ts'
import { type Action, type ApplyOptions, applyDocuments, type Outcome } from './apply.ts'
import { findFiles, loadFiles } from './files.ts'
import { isOfProduct } from './first-start.ts'
import { commandLimits } from './parse.ts'
import { describeProblem, type Problem } from './problem.ts'

export interface ApplyRequest extends ApplyOptions {
  /** Files and folders, as typed. */
  paths: readonly string[]
}

export interface ApplyResult {
  outcomes: Outcome[]
  problems: Problem[]
  /** False when anything failed. */
  ok: boolean
}

/** Applies files and folders once. Rows made this way carry their source and are read-only in the console. */
export async function applyPaths(ctx: Context, { paths, ...options }: ApplyRequest): Promise<ApplyResult> {
  const roots = paths.map((path) => resolve(path))
  const files = (await Promise.all(roots.map(filesAt))).flat()
  const loaded = await loadFiles([...new Set(files)], commandLimits)
  const covers = (file: string) => roots.some((root) => file === root || file.startsWith(root + sep))
  const outcomes = await applyDocuments(ctx, { origin: 'apply', ...loaded, covers }, options)
  const problems = [...loaded.problems, ...outcomes.flatMap((outcome) => outcome.problem ?? [])]
  return { outcomes, problems, ok: problems.length === 0 }
}

async function filesAt(path: string): Promise<string[]> {
  const info = await stat(path).catch(() => undefined)
  if (!info) throw new StartupError(`There is no file or folder ${path}.`)
  if (!info.isDirectory()) {
    if (!isOfProduct(path)) return [path]
    throw new StartupError(
      `${path} comes with the product and is applied at the first start: copy it elsewhere to change it.`,
    )
  }
  const found = (await findFiles(path, commandLimits.documents)).filter((file) => !isOfProduct(file.path))
  if (found.length === 0) throw new StartupError(`There are no .yaml, .yml or .json files in ${path}.`)
  return found.map((file) => file.path)
}

const words: Record<Action, string> = {
  created: 'created',
  changed: 'changed',
  unchanged: 'unchanged',
  removed: 'removed',
  left: 'left (no longer in the files; --prune removes it)',
  failed: 'failed',
}

/** What `quarterdeck apply` does: applies, says what happened per document, returns the exit code. */
export async function applyCommand(
  ctx: Context,
  request: ApplyRequest,
  print: (line: string) => void,
  complain: (line: string) => void = print,
): Promise<number> {
  const { outcomes, problems, ok } = await applyPaths(ctx, request)
  for (const outcome of outcomes) if (outcome.action !== 'failed') print(describeOutcome(outcome))
  for (const problem of problems) complain(describeProblem({ ...problem, file: shortName(problem.file) }))
  print(summary(outcomes, problems.length, request.dryRun === true))
  return ok ? 0 : 1
}

function describeOutcome({ kind, namespace, name, action, changes }: Outcome): string {
  const what = `${kind} ${namespace ? `${namespace}/` : ''}${name}`
  const which = action === 'changed' && changes?.length ? ` (${changes.join(', ')})` : ''
  return `${what} ${words[action]}${which}`
}

function summary(outcomes: readonly Outcome[], failed: number, dryRun: boolean): string {
  const count = (action: Action) => outcomes.filter((outcome) => outcome.action === action).length
  const parts = (['created', 'changed', 'unchanged', 'removed', 'left'] as const).flatMap((action) =>
    count(action) > 0 || action === 'created' || action === 'changed' ? [`${count(action)} ${action}`] : [],
  )
  if (failed > 0) parts.push(`${failed} ${failed === 1 ? 'problem' : 'problems'}`)
  return `${parts.join(', ')}${dryRun ? ' (dry run: nothing was written)' : ''}`
}

function shortName(file: string): string {
  const short = relative(process.cwd(), file)
  return short.startsWith('..') ? file : short
}

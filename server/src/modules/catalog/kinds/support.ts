import type { EnvVar, SecretText } from '@quarterdeck/contract/checks/common'
import { sharedExpressions } from '../../../platform/expressions/expressions.ts'
import { templateText } from '../../../platform/expressions/struct-template.ts'
import { type Connected, type ResolvedConnection, resolveTarget } from '../../../platform/resolve/connections.ts'
import { ResolveError } from '../../../platform/resolve/reference.ts'
import { resolveEnv, resolveValue } from '../../../platform/resolve/resolve.ts'
import { InvalidScraper, type ScrapeRun } from './kind.ts'

const options = (run: ScrapeRun) => ({
  namespace: run.namespace,
  secrets: { add: run.secret },
  signal: run.signal,
  usedBy: `scraper ${run.name}`,
})

async function orInvalid<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ResolveError ? new InvalidScraper(error.message) : error
  }
}

/** Where to and as whom: fields of the spec win over those of its connection. */
export const targetOf = (run: ScrapeRun, spec: Connected): Promise<ResolvedConnection> =>
  orInvalid(resolveTarget(run.ctx, spec, options(run)))

/** The text of a field that may be a reference; it is kept out of what the run stores unless told otherwise. */
export async function textOf(
  run: ScrapeRun,
  value: SecretText | undefined,
  { secret = true }: { secret?: boolean } = {},
): Promise<string | undefined> {
  const found = await orInvalid(resolveValue(run.ctx, value, options(run)))
  if (found && secret) run.secret(found)
  return found
}

/** `[{name, value}]` as a map. */
export const envOf = (run: ScrapeRun, list: readonly EnvVar[] | undefined): Promise<Record<string, string>> =>
  orInvalid(resolveEnv(run.ctx, list, options(run)))

/** Fills `{{ }}` and `$( )` of one field. */
export async function fillIn(text: string, env: Record<string, unknown>): Promise<string> {
  if (!text.includes('{{') && !text.includes('$(')) return text
  try {
    return await templateText(sharedExpressions(), text, env)
  } catch (error) {
    throw new InvalidScraper(`the template could not be filled in: ${(error as Error).message}`)
  }
}

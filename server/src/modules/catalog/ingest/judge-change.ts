import type { Extraction } from '@quarterdeck/contract/scrapers/common'
import { type Env, sharedExpressions } from '../../../platform/expressions/expressions.ts'
import type { ScrapedChange } from '../kinds/kind.ts'
import type { Json } from './canonical.ts'
import { severityOf } from './severity.ts'

export type ChangeRules = NonNullable<NonNullable<Extraction['transform']>['changes']>
export type ChangeDraft = Omit<ScrapedChange, 'item'>

/** What is known of the item a change is about. */
export interface ChangeSubject {
  type: string
  config: () => Json
  ignoreChanges: readonly string[]
}

const expressions = sharedExpressions()

/**
 * Built-in rules, then the spec's mapping, then its exclusions; undefined when the change is to be left out. A rule that
 * cannot be evaluated for this change does not apply.
 */
export async function judgeChange(
  draft: ChangeDraft,
  subject: ChangeSubject,
  rules: ChangeRules | undefined,
): Promise<ChangeDraft | undefined> {
  let change = builtIn(draft, subject.type)
  for (const rule of rules?.mapping ?? []) {
    const env = environment(change, subject)
    if (!(await isTrue(rule.filter, env))) continue
    change = {
      ...change,
      ...(rule.type && { changeType: rule.type }),
      ...(rule.severity && { severity: rule.severity }),
      ...(rule.action && { action: rule.action }),
      ...(rule.summary && { summary: await rendered(rule.summary, env) }),
    }
  }
  if (change.action === 'ignore' || isIgnored(change.changeType, subject.ignoreChanges)) return undefined
  for (const rule of rules?.exclude ?? []) if (await isTrue(rule, environment(change, subject))) return undefined
  return { ...change, severity: change.severity || (severityOf(change.changeType) ?? undefined) }
}

const isIgnored = (type: string, ignored: readonly string[]): boolean => ignored.includes(type) || ignored.includes('*')

function builtIn(change: ChangeDraft, type: string): ChangeDraft {
  if (/^(Delete|Remove|Terminate)/.test(change.changeType) || change.changeType === 'Killing')
    return { ...change, action: change.action ?? 'delete' }
  if (change.changeType === 'diff' && type.endsWith('::HelmRelease')) {
    const failures = Number((change.patches as { status?: { failures?: unknown } } | undefined)?.status?.failures)
    if (failures > 0)
      return { ...change, changeType: 'HelmReconcileFailed', summary: `reconciliation failed ${failures} times` }
  }
  return change
}

function environment(change: ChangeDraft, subject: ChangeSubject): Env {
  const fields = {
    change_type: change.changeType,
    external_change_id: change.externalChangeId ?? '',
    action: change.action ?? '',
    severity: change.severity ?? '',
    summary: change.summary ?? '',
    source: change.source ?? '',
    created_by: change.createdBy ?? '',
    created_at: change.createdAt?.toISOString() ?? null,
    details: change.details ?? {},
    patches: change.patches ?? {},
    diff: change.diff ?? '',
    config_type: subject.type,
  }
  return { ...fields, change: fields, patch: change.patches ?? {}, config: subject.config() }
}

async function isTrue(expr: string, env: Env): Promise<boolean> {
  return expressions.isTrue({ expr }, env).catch(() => false)
}

const rendered = (template: string, env: Env): Promise<string> =>
  expressions.render(template, env).catch((error: Error) => `${template} (${error.message})`)

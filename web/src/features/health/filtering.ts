import type { TriState } from '@quarterdeck/contract/tri-state'
import type { CheckSummary } from './check.ts'

export interface CheckFilter {
  query: string
  /** `key:value` or `key` (any value, for labels that say yes or no) to 1 or -1. */
  labels: TriState
}

const words = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** What search looks at, made once per check and not once per keystroke. */
const searchTexts = new WeakMap<CheckSummary, string>()
function searchText(check: CheckSummary): string {
  let text = searchTexts.get(check)
  if (text === undefined) {
    const labels = Object.entries(check.labels ?? {}).map(([key, value]) => `${key}=${value}`)
    text = [check.name, check.canary_name, check.namespace, check.description, check.type, check.endpoint, ...labels]
      .filter(Boolean)
      .join('\n')
      .toLowerCase()
    searchTexts.set(check, text)
  }
  return text
}

interface LabelRule {
  key: string
  include: Set<string | undefined>
  exclude: Set<string | undefined>
}

/** `app:web` names one value; a key alone means the label says true. */
function labelRules(labels: TriState): LabelRule[] {
  const rules = new Map<string, LabelRule>()
  for (const [entry, sign] of Object.entries(labels)) {
    const colon = entry.indexOf(':')
    const key = colon > 0 ? entry.slice(0, colon) : entry
    const value = colon > 0 ? entry.slice(colon + 1) : undefined
    let rule = rules.get(key)
    if (!rule) rules.set(key, (rule = { key, include: new Set(), exclude: new Set() }))
    if (sign === 1) rule.include.add(value)
    if (sign === -1) rule.exclude.add(value)
  }
  return [...rules.values()]
}

const matches = (values: ReadonlySet<string | undefined>, actual: string | undefined): boolean =>
  actual !== undefined && (values.has(actual) || (values.has(undefined) && actual !== 'false'))

function passesLabels(check: CheckSummary, rules: readonly LabelRule[]): boolean {
  return rules.every(({ key, include, exclude }) => {
    const actual = check.labels?.[key]
    if (include.size > 0 && !matches(include, actual)) return false
    return !matches(exclude, actual)
  })
}

/** The checks a person asked for. All words of the search must occur. */
export function filterChecks(checks: readonly CheckSummary[], filter: CheckFilter): CheckSummary[] {
  const wanted = words(filter.query)
  const rules = labelRules(filter.labels)
  return checks.filter((check) => {
    if (rules.length > 0 && !passesLabels(check, rules)) return false
    return wanted.every((word) => searchText(check).includes(word))
  })
}

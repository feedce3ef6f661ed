import type { Insight } from '@/entities/insight/insight.ts'
import type { Sorting } from '@/lib/search-params.ts'

export interface Narrowing {
  status?: string
  severity?: string
  type?: string
  configType?: string
  analyzer?: string
}

const same = (value: string | null | undefined, wanted: string | undefined) => !wanted || value === wanted

/** The insights of a component that a page's filters let through. */
export function narrowed(insights: readonly Insight[], by: Narrowing): Insight[] {
  const severity = by.severity?.toLowerCase()
  return insights.filter(
    (insight) =>
      same(insight.status, by.status) &&
      same(insight.severity?.toLowerCase(), severity) &&
      same(insight.analysis_type, by.type) &&
      same(insight.analyzer, by.analyzer) &&
      same(insight.config?.type, by.configType),
  )
}

/** In the order asked for, the newest first otherwise; what has no date comes last. */
export function sorted(insights: readonly Insight[], sort: Sorting | undefined): Insight[] {
  const column = sort?.id === 'last_observed' ? 'last_observed' : 'first_observed'
  const sign = sort && !sort.desc ? 1 : -1
  return insights.toSorted((one, two) => {
    const [a, b] = [one[column], two[column]]
    if (!a || !b) return Number(!a) - Number(!b)
    return sign * (Date.parse(a) - Date.parse(b))
  })
}

export function pageOf(
  insights: readonly Insight[],
  { pageIndex, pageSize }: { pageIndex: number; pageSize: number },
): { data: Insight[]; totalEntries: number; error: null } {
  const data = insights.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize)
  return { data, totalEntries: insights.length, error: null }
}

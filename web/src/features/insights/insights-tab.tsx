import { InsightList } from './insight-list.tsx'

/** What was found on one catalog item; the tab of its page. */
export function ConfigInsightsTab({ configId }: { configId: string }) {
  return <InsightList key={configId} configId={configId} />
}

import { ConfigFrame } from '@/entities/config/config-frame.tsx'
import { ConfigInsightsTab } from './insights-tab.tsx'

/** The insights of one catalog item, inside its page. */
export function ConfigInsightsPage() {
  return <ConfigFrame>{(item) => <ConfigInsightsTab configId={item.id} />}</ConfigFrame>
}

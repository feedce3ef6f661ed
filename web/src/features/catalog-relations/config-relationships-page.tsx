import { ConfigFrame } from '@/entities/config/config-frame.tsx'
import { ConfigRelationshipsTab } from './relationships-tab.tsx'

/** The relationships of one catalog item, inside its page. */
export function ConfigRelationshipsPage() {
  return <ConfigFrame>{(item) => <ConfigRelationshipsTab configId={item.id} />}</ConfigFrame>
}

import { ConfigFrame } from '@/entities/config/config-frame.tsx'
import { ChangeList } from '../changes/change-list.tsx'

/** The page of an item that shows what changed on it and around it. */
export function ConfigChangesPage() {
  return <ConfigFrame>{(item) => <ChangeList key={item.id} configId={item.id} />}</ConfigFrame>
}

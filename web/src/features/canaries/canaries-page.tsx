import { ResourceListPage } from '@/entities/settings-resource/resource-list.tsx'
import { AddCanaryDialog } from './add-canary-dialog.tsx'
import { canary } from './canary-kind.ts'

export const CanariesPage = () => (
  <ResourceListPage kind={canary} addDialog={(onClose) => <AddCanaryDialog onClose={onClose} />} />
)

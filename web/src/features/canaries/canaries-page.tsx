import { ResourceListPage } from '@/entities/settings-resource/resource-list.tsx'
import { AddCanaryDialog } from './add-canary-dialog.tsx'
import { canary } from './canary-kind.ts'

const add = (onClose: () => void) => <AddCanaryDialog onClose={onClose} />

export const CanariesPage = () => <ResourceListPage kind={canary} addDialog={add} />

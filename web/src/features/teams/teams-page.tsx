import { ResourceListPage } from '@/entities/settings-resource/resource-list.tsx'
import { team } from './team-kind.ts'

/** Groups of people who answer incidents and receive notifications together. */
export const TeamsPage = () => <ResourceListPage kind={team} />

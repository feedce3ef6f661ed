import { useParams } from 'react-router'
import { paths } from '@/app/paths.ts'
import { ResourcePage, type ResourceTab } from '@/entities/settings-resource/resource-page.tsx'
import { nameOf } from '@/entities/settings-resource/resource-kind.ts'
import { team } from './team-kind.ts'
import { TeamMembers } from './team-members.tsx'

const tabs: ResourceTab[] = [
  {
    value: 'manageTeam',
    label: 'Members',
    panel: (stored) => <TeamMembers team={{ id: stored.id, name: nameOf(team, stored) }} />,
  },
]

/** One team: its definition, its people, and what was done with it. */
export function TeamPage() {
  const { id = '' } = useParams()
  return <ResourcePage key={id} kind={team} id={id} at={paths.settingsItem('teams', id)} tabs={tabs} />
}

import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate, useParams } from 'react-router'
import { useCan } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { ResourceJobHistory } from '@/entities/job-history/job-table.tsx'
import { usePageName } from '@/lib/page-name.ts'
import { enumOf, searchParams } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { isManagedElsewhere } from '@/ui/form/declare.ts'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { FormPage } from '@/ui/form/form-page.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { TabPanel, Tabs } from '@/ui/tabs.tsx'
import { TeamMembers } from './team-members.tsx'
import { teamFields, valuesOf } from './team-form.ts'
import { type Team, teamQuery, type TeamValues, useDeleteTeam, useSaveTeam } from './teams.queries.ts'

const tabs = [
  { value: 'spec', label: 'Spec' },
  { value: 'manageTeam', label: 'Members' },
  { value: 'jobHistory', label: 'Job History' },
] as const
const filters = searchParams({ tab: enumOf(['spec', 'manageTeam', 'jobHistory'], 'spec') })
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** One team: its definition, its people, and what was done with it. */
export function TeamPage() {
  const { id = '' } = useParams()
  const isId = uuid.test(id)
  const [{ tab }, setFilters] = useFilters(filters)
  const { data: team, error, refetch } = useQuery({ ...teamQuery(id), enabled: isId })
  usePageName(paths.settingsItem('teams', id), team?.name)
  if (!isId || team === null || team?.deleted_at) return <EmptyState title="No resources found" />
  if (error && !team) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (!team) return <SkeletonLines lines={8} className="p-4" />
  return (
    <Tabs
      aria-label="About this team"
      value={tab}
      onChange={(next) => setFilters({ tab: tabs.find(({ value }) => value === next)?.value ?? 'spec' })}
      className="h-full"
      listClassName="bg-surface px-4"
      tabs={tabs}
    >
      <TabPanel value="spec">
        <TeamForm key={team.updated_at} team={team} />
      </TabPanel>
      <TabPanel value="manageTeam">
        <TeamMembers team={team} />
      </TabPanel>
      <TabPanel value="jobHistory">
        <ResourceJobHistory id={team.id} type="team" />
      </TabPanel>
    </Tabs>
  )
}

function TeamForm({ team }: { team: Team }) {
  const navigate = useNavigate()
  const canWrite = useCan('write', 'database')
  const isElsewhere = isManagedElsewhere(team.source)
  const isEditable = canWrite && !isElsewhere
  const [start] = useState<TeamValues>(() => ({ name: team.name, icon: team.icon, spec: team.spec ?? {} }))
  const form = useForm<TeamValues>({ defaultValues: start })
  const fields = useMemo(() => teamFields({ isNew: false, readOnly: !isEditable }), [isEditable])
  const save = useSaveTeam(team)
  const remove = useDeleteTeam(team)
  const leave = () => navigate(paths.settingsTable('teams'))
  return (
    <FormPage
      form={form}
      canSubmit={isEditable}
      submitLabel="Update"
      onSubmit={async (values) => {
        await save.mutateAsync(valuesOf(values))
        await leave()
      }}
      onDelete={async () => {
        await remove.mutateAsync()
        // Nothing is left to save, so the guard must not ask; it looks again only after the next render.
        form.reset(form.getValues())
        setTimeout(() => void leave())
      }}
      deleteTitle={`Delete ${team.name}?`}
      deleteText="Its members stay, but incidents and notifications no longer reach them through it."
      className="mx-auto w-full max-w-5xl"
    >
      {isElsewhere && (
        <p className="flex items-center gap-2 rounded-md bg-sunken px-3 py-2 text-sm text-muted">
          <Lock size={14} aria-hidden className="shrink-0" />
          <span className="min-w-0 break-words">Defined in {team.source}; change it there.</span>
        </p>
      )}
      <FormFields fields={fields} columns={2} />
      {!isEditable && Object.keys(team.spec ?? {}).length === 0 && <EmptyState title="No details found" />}
    </FormPage>
  )
}

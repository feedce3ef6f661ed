import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate, useParams } from 'react-router'
import { useCan } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { useEditConflict } from '@/entities/edit-conflict-dialog.tsx'
import { usePageName } from '@/lib/page-name.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { isManagedElsewhere } from '@/ui/form/declare.ts'
import { FormPage } from '@/ui/form/form-page.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { TabPanel, Tabs } from '@/ui/tabs.tsx'
import { type Canary, canaryQuery, nilAgent, useDeleteCanary, useSaveCanary } from './canaries.queries.ts'
import { CanaryEditor } from './canary-editor.tsx'
import { type CanaryValues, withoutEmptyFields } from './canary-form.ts'
import { JobHistoryTab } from './job-history-tab.tsx'
import { useTrial } from './try-results.tsx'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** One canary: its definition, and what the engine did with it. */
export function CanaryPage() {
  const { id = '' } = useParams()
  const isId = uuid.test(id)
  const { data: canary, error, isPending, refetch } = useQuery({ ...canaryQuery(id), enabled: isId })
  usePageName(paths.canary(id), canary?.name)
  const [tab, setTab] = useState('spec')
  if (!isId || canary === null) return <EmptyState title="No resources found" />
  if (error && !canary) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (isPending || !canary) return <SkeletonLines lines={8} className="p-4" />
  return (
    <Tabs
      aria-label="About this health check"
      value={tab}
      onChange={setTab}
      className="h-full"
      listClassName="bg-surface px-4"
      tabs={[
        { value: 'spec', label: 'Spec' },
        { value: 'jobs', label: 'Job History' },
      ]}
    >
      <TabPanel value="spec" keepMounted>
        <CanaryForm key={canary.updated_at} canary={canary} onReload={() => refetch()} />
      </TabPanel>
      <TabPanel value="jobs">
        <JobHistoryTab id={canary.id} />
      </TabPanel>
    </Tabs>
  )
}

function CanaryForm({ canary, onReload }: { canary: Canary; onReload: () => unknown }) {
  const navigate = useNavigate()
  const canWrite = useCan('write', 'canaries')
  const [start] = useState<CanaryValues>(() => ({
    name: canary.name,
    namespace: canary.namespace,
    labels: canary.labels ?? {},
    spec: canary.spec,
  }))
  const form = useForm<CanaryValues>({ defaultValues: start })
  const save = useSaveCanary()
  const remove = useDeleteCanary(canary)
  const trial = useTrial(form)
  const conflict = useEditConflict(canary, { name: canary.name, onReload })
  const owner = ownerOf(canary)
  const isEditable = canWrite && !owner
  const leave = () => navigate(paths.settingsTable('canaries'))
  return (
    <FormPage
      form={form}
      canSubmit={isEditable}
      submitLabel="Update"
      onSubmit={async (values) => {
        const wanted = withoutEmptyFields(values)
        const saved = await conflict.save((over) => save.mutateAsync({ values: wanted, over }))
        if (saved) await leave()
        return saved
      }}
      onDelete={async () => {
        await remove.mutateAsync()
        await leave()
      }}
      deleteTitle={`Delete ${canary.name}?`}
      deleteText="Its checks stop running and disappear from the dashboard, with their history."
      extra={trial.button}
    >
      <div className="flex max-w-5xl flex-col gap-4">
        {owner && (
          <p className="flex items-center gap-2 rounded-md bg-sunken px-3 py-2 text-sm text-muted">
            <Lock size={14} aria-hidden className="shrink-0" />
            <span className="min-w-0 break-words">{owner}</span>
          </p>
        )}
        <CanaryEditor readOnly={!isEditable} />
        {!isEditable && Object.keys(canary.spec).length === 0 && <EmptyState title="No details found" />}
        {trial.results}
        {conflict.dialog}
      </div>
    </FormPage>
  )
}

/** Why it cannot be changed here, or undefined when it can. */
function ownerOf({ source, agent_id: agent }: Canary): string | undefined {
  if (agent && agent !== nilAgent) return 'This health check belongs to an agent; change it there.'
  if (isManagedElsewhere(source)) return `Defined in ${source}; change it there.`
  return undefined
}

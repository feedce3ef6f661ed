import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { enumOf, searchParams } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { TabPanel, Tabs } from '@/ui/tabs.tsx'
import { usePageName } from '@/lib/page-name.ts'
import { ResourceJobHistory } from '../job-history/job-table.tsx'
import { ResourceForm } from './resource-form.tsx'
import { listPath, nameOf, type ResourceKind, type StoredResource } from './resource-kind.ts'
import { resourceQuery } from './resource.queries.ts'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export interface ResourceTab {
  value: string
  label: string
  panel: (stored: StoredResource) => ReactNode
}

export interface ResourcePageProps {
  kind: ResourceKind
  id: string
  /** Address of this page, where that is its own: for heading and breadcrumb. */
  at?: string
  /** Where saving and deleting lead; the list unless given. */
  back?: string
  /** Between Spec and Job History. */
  tabs?: readonly ResourceTab[]
  /** Instead of the generated form. */
  form?: (stored: StoredResource) => ReactNode
}

/** One definition: its form, and what was done with it. */
export function ResourcePage({ kind, id, at, back = listPath(kind), tabs = [], form }: ResourcePageProps) {
  const isKey = kind.key === 'name' || uuid.test(id)
  const { data: stored, error, refetch } = useQuery({ ...resourceQuery(kind, id), enabled: isKey })
  usePageName(at ?? '', at && stored ? nameOf(kind, stored) : undefined)
  const all = useMemo(
    () => [
      { value: 'spec', label: 'Spec' },
      ...tabs.map(({ value, label }) => ({ value, label })),
      ...(kind.jobType ? [{ value: 'jobHistory', label: 'Job History' }] : []),
    ],
    [kind, tabs],
  )
  const filters = useMemo(
    () =>
      searchParams({
        tab: enumOf(
          all.map(({ value }) => value),
          'spec',
        ),
      }),
    [all],
  )
  const [{ tab }, setFilters] = useFilters(filters)
  if (!isKey || stored === null || stored?.deleted_at) return <EmptyState title="No resources found" />
  if (error && !stored) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (!stored) return <SkeletonLines lines={8} className="p-4" />
  // A version that was loaded anew is a form of its own.
  const spec = form?.(stored) ?? (
    <ResourceForm key={stored.updated_at} kind={kind} stored={stored} back={back} onReload={() => refetch()} />
  )
  if (all.length === 1) return spec
  return (
    <Tabs
      aria-label={`About this ${kind.noun}`}
      value={tab}
      onChange={(next) => setFilters({ tab: next })}
      className="h-full"
      listClassName="bg-surface px-4"
      tabs={all}
    >
      <TabPanel value="spec" keepMounted>
        {spec}
      </TabPanel>
      {tabs.map(({ value, panel }) => (
        <TabPanel key={value} value={value}>
          {panel(stored)}
        </TabPanel>
      ))}
      {kind.jobType && (
        <TabPanel value="jobHistory">
          <ResourceJobHistory id={stored.id} type={kind.jobType} />
        </TabPanel>
      )}
    </Tabs>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Flag as FlagIcon, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useCan } from '@/api/access.tsx'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { SearchFilter } from '@/ui/filter/filter-bar.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { toast } from '@/ui/toast.tsx'
import { type Flag, flagsQuery } from './feature-flags.queries.ts'
import { flagColumns } from './flag-columns.tsx'
import { FlagDialog } from './flag-dialog.tsx'

export function FeatureFlagsPage() {
  const canWrite = useCan('write', 'feature_flags')
  const [params, setParams] = useSearchParams()
  const search = params.get('query') ?? ''
  const [edited, setEdited] = useState<Pick<Flag, 'name' | 'value'> | 'new' | null>(null)
  const { data: flags, error, isFetching, refetch } = useQuery(flagsQuery)
  const shown = useMemo(() => {
    const text = search.trim().toLowerCase()
    return flags?.filter(({ name, value }) => `${name}=${value}`.toLowerCase().includes(text))
  }, [flags, search])

  function open(flag: Flag) {
    if (flag.source === 'local') toast.error('Cannot edit local feature flags')
    else setEdited(flag)
  }

  return (
    <div className="flex h-full flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b border-line bg-surface px-4 py-2">
        <div className="w-full max-w-72">
          <SearchFilter
            placeholder="Search feature flags"
            value={search}
            onChange={(query) => setParams(query === '' ? {} : { query }, { replace: true })}
          />
        </div>
        <span className="flex-1" />
        {canWrite && (
          <Button variant="primary" icon={Plus} onClick={() => setEdited('new')}>
            Add flag
          </Button>
        )}
      </div>
      <DataTable
        id="feature-flags"
        label="Feature flags"
        columns={flagColumns}
        rows={shown}
        rowId={(flag) => flag.name}
        error={flags ? undefined : error}
        onRetry={() => void refetch()}
        isFetching={isFetching}
        onRowClick={canWrite ? open : undefined}
        empty={
          search === '' ? (
            <EmptyState icon={FlagIcon} title="No feature flags">
              Everything is switched on. A flag such as incidents.disable with the value true takes a part of the
              console away for everybody.
            </EmptyState>
          ) : (
            <EmptyState title={`No feature flag matches “${search}”`} />
          )
        }
      />
      {edited && <FlagDialog flag={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </div>
  )
}

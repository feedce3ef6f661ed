import { useQuery } from '@tanstack/react-query'
import { Flag as FlagIcon, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useCan } from '@/api/access.tsx'
import { searchParams, text } from '@/lib/search-params.ts'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ListPage } from '@/ui/list/list-page.tsx'
import { useList } from '@/ui/list/use-list.ts'
import { toast } from '@/ui/toast.tsx'
import { type Flag, flagsQuery } from './feature-flags.queries.ts'
import { flagColumns } from './flag-columns.tsx'
import { FlagDialog } from './flag-dialog.tsx'

const filters = searchParams({ query: text('') })

export function FeatureFlagsPage() {
  const canWrite = useCan('write', 'feature_flags')
  const list = useList(filters)
  const flags = useQuery(flagsQuery)
  const [edited, setEdited] = useState<Pick<Flag, 'name' | 'value'> | 'new' | null>(null)
  const words = list.values.query.trim().toLowerCase()
  const shown = useMemo(
    () => flags.data?.filter(({ name, value }) => `${name}=${value}`.toLowerCase().includes(words)),
    [flags.data, words],
  )

  function open(flag: Flag) {
    if (flag.source === 'local') toast.error('Cannot edit local feature flags')
    else setEdited(flag)
  }

  return (
    <ListPage
      id="feature-flags"
      label="Feature flags"
      noun="feature flag"
      list={list}
      query={flags}
      rows={shown}
      isLocal
      columns={flagColumns}
      rowId={(flag) => flag.name}
      onRowClick={canWrite ? open : undefined}
      search="Search feature flags"
      tools={[]}
      actions={
        canWrite && (
          <Button variant="primary" icon={Plus} onClick={() => setEdited('new')}>
            Add flag
          </Button>
        )
      }
      empty={
        <EmptyState icon={FlagIcon} title="No feature flags">
          Everything is switched on. A flag such as incidents.disable with the value true takes a part of the console
          away for everybody.
        </EmptyState>
      }
    >
      {edited && <FlagDialog flag={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </ListPage>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { paging, searchParams, text } from '@/lib/search-params.ts'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ListPage } from '@/ui/list/list-page.tsx'
import { useList } from '@/ui/list/use-list.ts'
import { AddIntegrationDialog } from './add-integration-dialog.tsx'
import { integrationTypes, typeOf } from './integration.ts'
import { integrationColumns } from './integration-columns.tsx'
import { integrationsQuery } from './integrations.queries.ts'

const filters = searchParams({ query: text(''), type: text(''), ...paging() })
const narrowing = ['query', 'type'] as const
const typeOptions = Object.entries(integrationTypes).map(([value, { label }]) => ({ value, label }))

/** Everything that brings data in from other systems. */
export function IntegrationsPage() {
  const canWrite = useCan('write', 'integrations')
  const list = useList(filters, narrowing)
  const { query: search, type, pageIndex, pageSize } = list.values
  const integrations = useQuery(integrationsQuery({ search, type, pageIndex, pageSize }))
  const [isAdding, setAdding] = useState(false)
  const add = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add Integration
    </Button>
  )
  return (
    <ListPage
      id="integrations"
      label="Integrations"
      noun="integration"
      list={list}
      query={integrations}
      rows={integrations.data?.data}
      total={integrations.data?.totalEntries}
      columns={integrationColumns}
      rowId={(row) => row.id}
      // Opening one is for editing it.
      rowPath={canWrite ? (row) => paths.integration(typeOf(row), row.id) : undefined}
      search="Search integrations"
      filters={[list.one('type', { label: 'Type', options: typeOptions })]}
      actions={add}
      empty={
        <EmptyState icon={Plug} title="No integrations yet" action={add}>
          An integration brings data in: a scraper fills the catalog, a topology makes components, a log backend says
          where log lines are.
        </EmptyState>
      }
    >
      {isAdding && <AddIntegrationDialog onClose={() => setAdding(false)} />}
    </ListPage>
  )
}

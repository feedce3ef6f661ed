import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useCan } from '@/api/access.tsx'
import { number, searchParams, sorting, text } from '@/lib/search-params.ts'
import { Button } from '@/ui/button.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ListPage } from '@/ui/list/list-page.tsx'
import { useList } from '@/ui/list/use-list.ts'
import { AddResourceDialog } from './add-resource-dialog.tsx'
import { resourceColumns } from './resource-columns.tsx'
import { itemPath, keyOf, type ResourceKind } from './resource-kind.ts'
import { listPageSize, resourcesQuery } from './resource.queries.ts'

const filters = searchParams({
  query: text(''),
  sort: sorting({ id: 'created_at', desc: true }),
  pageIndex: number(0, { min: 0 }),
})

export interface ResourceListProps {
  kind: ResourceKind
  /** The way to add one, where that is more than its form. */
  addDialog?: (onClose: () => void) => ReactNode
}

/** Every definition of one kind, a page at a time. */
export function ResourceListPage({ kind, addDialog }: ResourceListProps) {
  const canWrite = useCan('write', kind.resource)
  const list = useList(filters)
  const { query: search, sort, pageIndex } = list.values
  const columns = useMemo(() => resourceColumns(kind), [kind])
  const sortable = useMemo(() => columns.filter((column) => column.sortable).map(({ id }) => id), [columns])
  const resources = useQuery(resourcesQuery(kind, { search, sort, pageIndex }, sortable))
  const [isAdding, setAdding] = useState(false)
  const close = () => setAdding(false)
  const add = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add {kind.name}
    </Button>
  )
  return (
    <ListPage
      id={kind.table}
      label={kind.title}
      noun={kind.noun}
      list={list}
      query={resources}
      rows={resources.data?.data}
      total={resources.data?.totalEntries}
      fixedSize={listPageSize}
      columns={columns}
      rowId={(row) => keyOf(kind, row)}
      rowPath={(row) => itemPath(kind, keyOf(kind, row))}
      search={`Search ${kind.title.toLowerCase()}`}
      actions={add}
      empty={
        <EmptyState title={`No ${kind.title.toLowerCase()} yet`} action={add}>
          {kind.about}
        </EmptyState>
      }
    >
      {isAdding && (addDialog?.(close) ?? <AddResourceDialog kind={kind} onClose={close} />)}
    </ListPage>
  )
}

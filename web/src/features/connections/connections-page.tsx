import { offeredKinds } from '@quarterdeck/contract/connections/index'
import { categories, type Category } from '@quarterdeck/contract/connections/kind'
import { useQuery } from '@tanstack/react-query'
import { Cable, Plus } from 'lucide-react'
import { useCan } from '@/api/access.tsx'
import { number, optional, searchParams, sorting, text } from '@/lib/search-params.ts'
import { Button } from '@/ui/button.tsx'
import { Drawer } from '@/ui/drawer.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { KindPicker } from '@/ui/form/kind-picker.tsx'
import { ListPage } from '@/ui/list/list-page.tsx'
import { useList } from '@/ui/list/use-list.ts'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { connectionColumns } from './connection-columns.tsx'
import { EditConnection, NewConnection } from './connection-form.tsx'
import { connectionQuery, connectionsQuery, listPageSize } from './connections.queries.ts'

const filters = searchParams({
  query: text(''),
  sort: sorting({ id: 'created_at', desc: true }),
  pageIndex: number(0, { min: 0 }),
  /** The one that is open. */
  id: optional(),
  /** A new one: its type, or `choose` while that is not known. */
  add: optional(),
})
const choose = 'choose'

const kindGroups = (Object.keys(categories) as Category[]).map((category) => ({
  title: categories[category],
  kinds: offeredKinds
    .filter((kind) => kind.category === category)
    .map(({ type, label, icon = type }) => ({ key: type, label, icon })),
}))

/** Addresses and credentials that checks, scrapers, playbooks and notifications use by name. */
export function ConnectionsPage() {
  const canWrite = useCan('write', 'connections')
  const list = useList(filters)
  const { query, sort, pageIndex, id, add } = list.values
  const connections = useQuery(connectionsQuery({ search: query, sort, pageIndex }))
  const close = () => list.set({ id: undefined, add: undefined })
  const addButton = canWrite && (
    <Button variant="primary" icon={Plus} onClick={() => list.set({ add: choose }, { push: true })}>
      Add Connection
    </Button>
  )
  const isKnown = offeredKinds.some(({ type }) => type === add)
  return (
    <ListPage
      id="connections"
      label="Connections"
      noun="connection"
      list={list}
      query={connections}
      rows={connections.data?.data}
      total={connections.data?.totalEntries}
      fixedSize={listPageSize}
      columns={connectionColumns}
      rowId={(row) => row.id}
      onRowClick={(row) => list.set({ id: row.id }, { push: true })}
      search="Search connections"
      actions={addButton}
      empty={
        <EmptyState icon={Cable} title="No connections yet" action={addButton}>
          A connection keeps an address and its credentials in one place, so that checks, scrapers, playbooks and
          notifications can use it by name.
        </EmptyState>
      }
    >
      {id !== undefined && <Edit key={id} id={id} onClose={close} />}
      {canWrite && id === undefined && add !== undefined && !isKnown && (
        <KindPicker
          title="Add Connection"
          nouns={['type of connection', 'types of connections']}
          groups={kindGroups}
          frame="drawer"
          onPick={({ key }) => list.set({ add: key }, { push: true })}
          onClose={close}
        />
      )}
      {canWrite && id === undefined && isKnown && (
        <NewConnection key={add} type={add!} onBack={() => list.set({ add: choose })} onClose={close} />
      )}
    </ListPage>
  )
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function Edit({ id, onClose }: { id: string; onClose: () => void }) {
  const isId = uuid.test(id)
  const { data, error, refetch } = useQuery({ ...connectionQuery(id), enabled: isId })
  if (data) return <EditConnection key={data.updated_at} connection={data} onClose={onClose} />
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title="Connection">
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data === null || !isId ? (
        <EmptyState title="This connection is not there">It may have been deleted.</EmptyState>
      ) : (
        <SkeletonLines lines={8} />
      )}
    </Drawer>
  )
}

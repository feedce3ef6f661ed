import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { kindOf } from '@/entities/settings-resource/kinds/all.ts'
import { notification } from '@/entities/settings-resource/kinds/notification.ts'
import { ResourceListPage } from '@/entities/settings-resource/resource-list.tsx'
import { ResourcePage } from '@/entities/settings-resource/resource-page.tsx'
import { itemPath, type ResourceKind } from '@/entities/settings-resource/resource-kind.ts'
import { firstPageQuery } from '@/entities/settings-resource/resource.queries.ts'

function declared(table: string): ResourceKind {
  const kind = kindOf(table)
  if (!kind) throw new Error(`Nothing is declared about ${table}`)
  return kind
}

/** What the list of a table will ask for. */
export const prefetch = (queries: QueryClient, table: string) => queries.prefetchQuery(firstPageQuery(declared(table)))

/** The list of a table. */
export function listOf(table: string): ComponentType {
  const kind = declared(table)
  return function ResourceTablePage() {
    return <ResourceListPage kind={kind} />
  }
}

/** One row of a table. */
export function itemOf(table: string): ComponentType {
  const kind = declared(table)
  return function ResourceItemPage() {
    const { id = '' } = useParams()
    return <ResourcePage key={id} kind={kind} id={id} at={itemPath(kind, id)} />
  }
}

/** Notifications have one address; which of them is open stands in its query. */
export function NotificationsPage() {
  const [params] = useSearchParams()
  const id = params.get('id')
  if (!id) return <ResourceListPage kind={notification} />
  return <ResourcePage key={id} kind={notification} id={id} />
}

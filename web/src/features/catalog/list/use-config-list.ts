import { useQueries, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { ConfigItem } from '@/entities/config/config.ts'
import { configKeys } from '@/entities/config/config.queries.ts'
import { configCountQuery, type ConfigList, configPageQuery, pageSize } from './config-list.queries.ts'

/** Pages loaded beside those in sight, so that scrolling finds rows, not grey bars. */
const ahead = 1

const combine = (results: readonly UseQueryResult<ConfigItem[]>[]) => ({
  data: results.map((result) => result.data),
  error: results.find((result) => result.error)?.error ?? undefined,
  isFetching: results.some((result) => result.isFetching),
})

/** The part of the list that is in sight, with a page on either side of it. */
export function useConfigList(list: ConfigList) {
  const queries = useQueryClient()
  const [inSight, setInSight] = useState({ first: 0, last: 0 })
  const count = useQuery(configCountQuery(list))
  const lastPage = Math.max(0, Math.ceil((count.data ?? 1) / pageSize) - 1)
  const from = Math.max(0, Math.min(inSight.first, lastPage) - ahead)
  const to = Math.min(lastPage, inSight.last + ahead)
  const indexes = useMemo(() => Array.from({ length: to - from + 1 }, (_, index) => from + index), [from, to])
  const pages = useQueries({
    queries: indexes.map((index) => configPageQuery(list, index)),
    combine,
  })
  const { rows, positions } = useMemo(() => place(indexes, pages.data), [indexes, pages.data])
  const onRange = useCallback((first: number, last: number) => {
    const next = { first: Math.floor(first / pageSize), last: Math.floor(last / pageSize) }
    setInSight((now) => (now.first === next.first && now.last === next.last ? now : next))
  }, [])
  // Until the count is known the first page tells how long the list is at least.
  const total = count.data ?? (positions.at(-1) ?? -1) + 1
  // Once the length is known the table stands, also where none of its rows are there yet: it must not lose its place.
  const isReady = rows.length > 0 || count.data !== undefined
  const sparse = useMemo(
    () => ({ total: Math.max(total, (positions.at(-1) ?? -1) + 1), positions, onRange }),
    [total, positions, onRange],
  )
  return {
    total: count.data,
    rows: isReady ? rows : undefined,
    sparse,
    error: pages.error ?? count.error ?? undefined,
    isFetching: pages.isFetching || count.isFetching,
    refetch: () => void queries.refetchQueries({ queryKey: configKeys.all, type: 'active' }),
  }
}

function place(indexes: readonly number[], pages: readonly (readonly ConfigItem[] | undefined)[]) {
  const rows: ConfigItem[] = []
  const positions: number[] = []
  const seen = new Set<string>()
  indexes.forEach((page, at) => {
    pages[at]?.forEach((row, index) => {
      // A row that moved between two answers is in both of them; a table cannot show it twice.
      if (seen.has(row.id)) return
      seen.add(row.id)
      rows.push(row)
      positions.push(page * pageSize + index)
    })
  })
  return { rows, positions }
}

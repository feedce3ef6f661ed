import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'

/** The answer of a query that waits until somebody wants it, such as the options of a filter, and the way to want it. */
export function useOnDemand<T, K extends QueryKey>(query: UseQueryOptions<T, Error, T, K>) {
  const [isWanted, setWanted] = useState(false)
  const { data } = useQuery({ ...query, enabled: isWanted })
  return [data, () => setWanted(true)] as const
}

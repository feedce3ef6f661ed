import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { Codec, SearchParams, Values } from './search-params.ts'

type Shape = Record<string, Codec<unknown>>

/**
 * The filters of the current address and a way to change some of them. A change replaces the history entry by default,
 * because going back through every keystroke helps nobody; pass `push` for what feels like a new page.
 */
export function useFilters<S extends Shape>(declaration: SearchParams<S>) {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => declaration.read(params), [declaration, params])
  const setFilters = useCallback(
    (change: Partial<Values<S>>, { push = false } = {}) =>
      setParams((current) => declaration.write(change, current), { replace: !push, preventScrollReset: true }),
    [declaration, setParams],
  )
  return [filters, setFilters] as const
}

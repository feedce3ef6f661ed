import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { readStored, writeStored } from '@/lib/storage.ts'
import { healthFilters } from './health.filters.ts'

type Filters = ReturnType<typeof healthFilters.read>

const key = 'healthSettings'

/** How somebody likes the dashboard arranged; what they look for stays in the address alone. */
export function rememberSettings({ layout, groupBy, tabBy, hidePassing }: Filters): void {
  writeStored(key, { layout, groupBy, tabBy, hidePassing })
}

/** The address of the remembered arrangement. Stored text is anybody's, so it goes through the codecs of the address. */
export function rememberedSearch(): URLSearchParams {
  const stored = readStored<unknown>(key)
  if (typeof stored !== 'object' || stored === null) return new URLSearchParams()
  const texts = Object.entries(stored).flatMap(([name, value]) =>
    ['layout', 'groupBy', 'tabBy', 'hidePassing'].includes(name) ? [[name, String(value)]] : [],
  )
  return healthFilters.write(healthFilters.read(new URLSearchParams(texts)))
}

/** On arrival without any parameter the last arrangement is restored; a link that says something is left alone. */
export function useRememberedSettings(): void {
  const [params, setParams] = useSearchParams()
  const isBare = params.size === 0
  useEffect(() => {
    const remembered = isBare ? rememberedSearch() : undefined
    if (remembered && remembered.size > 0) setParams(remembered, { replace: true })
    // Only on arrival: somebody who clears the filters means it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}

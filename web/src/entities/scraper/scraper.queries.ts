import type { ScrapeRunResult, TryScraperResult } from '@quarterdeck/contract/catalog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useAccess } from '@/api/access.tsx'
import { client } from '@/api/client.ts'
import { plural } from '@/lib/format.ts'
import { toast } from '@/ui/toast.tsx'
import { type ScraperValues, withoutEmptyFields } from './scraper-form.ts'

/** Only servers that tell what they offer can scrape without saving. */
export const useCanTryScraper = (): boolean => {
  const { can, capabilities } = useAccess()
  return capabilities.version !== '' && can('write', 'config_scrapers')
}

/** Scrapes once and tells what would become of the catalog; nothing is saved. */
export function useTryScraper() {
  return useMutation({
    mutationFn: ({ id, name, spec }: ScraperValues) =>
      client('root').post<TryScraperResult>('/v1/scrapers/try', {
        spec: withoutEmptyFields(spec),
        ...(id && { id }),
        ...(name && { name }),
      }),
    meta: { quiet: true },
  })
}

/** Scrapes now, besides the schedule, and answers when it is done. */
export function useRunScraper(scraper: { id: string; name: string }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => client('config').post<ScrapeRunResult>(`/run/${encodeURIComponent(scraper.id)}`),
    onSuccess: (run) => {
      const { errors = [], scrape_summary: summary = {} } = run.details ?? {}
      const counts = Object.values(summary)
      const sum = (part: 'added' | 'updated' | 'unchanged') =>
        counts.reduce((total, each) => total + (each[part] ?? 0), 0)
      const found = `${plural(sum('added'), 'item')} added, ${sum('updated')} updated, ${sum('unchanged')} unchanged`
      if (run.status === 'FAILED') toast.error(`${scraper.name} failed: ${errors[0] ?? 'see its job history'}`)
      else if (errors.length > 0 || run.error_count > 0)
        toast.info(`${scraper.name}: ${found}; ${plural(Math.max(errors.length, run.error_count), 'error')}`)
      else toast.success(`${scraper.name}: ${found}`)
    },
    onSettled: () =>
      Promise.all(['resources', 'jobs', 'catalog'].map((family) => queries.invalidateQueries({ queryKey: [family] }))),
  })
}

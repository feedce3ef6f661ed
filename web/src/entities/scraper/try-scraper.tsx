import { FlaskConical } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { Button } from '@/ui/button.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { useCanTryScraper, useTryScraper } from './scraper.queries.ts'
import type { ScraperValues } from './scraper-form.ts'
import { TryResults } from './try-results.tsx'

/** Scrapes with what the form holds and shows what would become of the catalog. */
export function TryScraper({ readOnly }: { readOnly: boolean }) {
  const canTry = useCanTryScraper()
  const { getValues, trigger } = useFormContext<ScraperValues>()
  const attempt = useTryScraper()
  const region = useRef<HTMLElement>(null)
  const { data, error, isPending, isIdle } = attempt
  useEffect(() => {
    if (data || error) region.current?.scrollIntoView?.({ block: 'nearest', behavior: 'smooth' })
  }, [data, error])
  if (!canTry) return null
  const start = async () => {
    // A name is not needed for a try, the rest of the spec is.
    if (readOnly || (await trigger('spec', { shouldFocus: true }))) attempt.mutate(getValues())
  }
  return (
    <section
      ref={region}
      aria-label="Try it"
      aria-busy={isPending}
      className="flex flex-col gap-3 border-t border-line pt-3"
    >
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={FlaskConical} loading={isPending} onClick={() => void start()}>
          Try it
        </Button>
        <p className="text-sm text-muted">
          {isPending ? 'Scraping…' : 'Scrapes once and shows what would change. Nothing is saved.'}
        </p>
      </div>
      {!isIdle && error && <ErrorPanel error={error} />}
      {data && !isPending && <TryResults result={data} />}
    </section>
  )
}

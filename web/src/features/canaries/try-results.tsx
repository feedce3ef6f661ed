import { FlaskConical } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useAccess } from '@/api/access.tsx'
import { Button } from '@/ui/button.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { Millis } from '@/ui/figures.tsx'
import { JsonView } from '@/ui/json-view.tsx'
import { CollapsibleSection } from '@/ui/section.tsx'
import { Status } from '@/ui/status.tsx'
import { type TriedCheck, useTryCanary } from './canaries.queries.ts'
import { type CanaryValues, withoutEmptyFields } from './canary-form.ts'

/** Runs what a form holds without saving it: the button for that, and what came of it. */
export function useTrial(form: UseFormReturn<CanaryValues>) {
  // Only servers that tell what they offer can run a check that nobody saved.
  const canTry = useAccess().capabilities.version !== ''
  const attempt = useTryCanary()
  const run = form.handleSubmit((values) => attempt.mutate(withoutEmptyFields(values)))
  return {
    button: canTry && (
      <Button icon={FlaskConical} loading={attempt.isPending} onClick={() => void run()}>
        Try it
      </Button>
    ),
    results: <TryResults attempt={attempt} />,
  }
}

/** What the checks gave when they were tried: state, time, words, and the values their expressions can use. */
function TryResults({ attempt }: { attempt: ReturnType<typeof useTryCanary> }) {
  const region = useRef<HTMLElement>(null)
  const { data, error, isPending, isIdle } = attempt
  useEffect(() => {
    if (data || error) region.current?.scrollIntoView?.({ block: 'nearest', behavior: 'smooth' })
  }, [data, error])
  if (isIdle) return null
  return (
    <section ref={region} aria-label="Result of the try" aria-busy={isPending} className="border-t border-line pt-3">
      <h2 className="mb-2 text-sm font-semibold">Result</h2>
      {isPending && <p className="text-sm text-muted">Running…</p>}
      {error && <ErrorPanel error={error} />}
      {data && !isPending && (
        <div className="flex flex-col gap-3">
          {data.problems.map((problem) => (
            <p key={problem} role="alert" className="text-sm text-bad-text">
              {problem}
            </p>
          ))}
          {data.results.length === 0 && data.problems.length === 0 && (
            <p className="text-sm text-muted">There is no check in this spec yet.</p>
          )}
          {data.results.map((result, index) => (
            <Tried key={index} result={result} />
          ))}
        </div>
      )}
    </section>
  )
}

function Tried({ result }: { result: TriedCheck }) {
  // Servers that do not tell the environment still tell the detail.
  const detail = result.environment ?? result.detail
  const hasDetail = typeof detail === 'object' && detail !== null && Object.keys(detail).length > 0
  return (
    <article aria-label={result.name} className="rounded-md border border-line bg-surface px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Status health={result.pass ? 'healthy' : 'unhealthy'}>
          {result.pass ? 'Healthy' : result.invalid ? 'Invalid' : 'Unhealthy'}
        </Status>
        <span className="font-medium">{result.name}</span>
        <span className="text-xs text-subtle">{result.type}</span>
        <Millis ms={result.duration} className="text-muted" />
      </div>
      {result.message && <p className="mt-1 text-sm break-words whitespace-pre-wrap">{result.message}</p>}
      {result.error && <p className="mt-1 text-sm break-words whitespace-pre-wrap text-bad-text">{result.error}</p>}
      {hasDetail && (
        <CollapsibleSection title="Template environment" defaultOpen={false} className="border-b-0">
          <JsonView value={detail} openDepth={2} className="max-h-96 overflow-y-auto pb-2" />
        </CollapsibleSection>
      )}
    </article>
  )
}

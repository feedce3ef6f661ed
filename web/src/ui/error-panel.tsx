import { CircleAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'
import { Button } from './button.tsx'

export interface ErrorPanelProps {
  error: unknown
  title?: ReactNode
  /** Leaves out stack and cause, for people who cannot act on them. */
  hideDetails?: boolean
  onRetry?: () => void
  className?: string
}

/** Says what failed, why if known, and offers another try. */
export function ErrorPanel({
  error,
  title = 'Something went wrong',
  hideDetails = false,
  onRetry,
  className,
}: ErrorPanelProps) {
  const { message, details } = describe(error)
  return (
    <div role="alert" className={cn('m-4 rounded-lg border border-line bg-surface p-4', className)}>
      <div className="flex items-start gap-3">
        <CircleAlert size={18} aria-hidden className="mt-px shrink-0 text-bad" />
        <div className="min-w-0 flex-1">
          <p className="text-sm font-semibold">{title}</p>
          {message && <p className="mt-0.5 text-sm break-words text-muted">{message}</p>}
          {!hideDetails && details && (
            <details className="mt-2 text-xs text-muted" open>
              <summary className="w-fit cursor-pointer rounded-sm select-none hover:text-fg">Details</summary>
              <pre className="mt-2 max-h-64 overflow-auto rounded-md bg-sunken p-3 font-mono whitespace-pre-wrap">
                {details}
              </pre>
            </details>
          )}
        </div>
        {onRetry && (
          <Button size="sm" icon={RotateCw} onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  )
}

function describe(error: unknown): { message: string; details: string } {
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : '', details: '' }
  const parts = [error.stack ?? '']
  for (let cause = error.cause, depth = 0; cause && depth < 5; depth++) {
    parts.push(`Caused by: ${cause instanceof Error ? (cause.stack ?? cause.message) : toText(cause)}`)
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return { message: error.message, details: parts.filter(Boolean).join('\n\n') }
}

function toText(value: unknown) {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  } catch {
    return String(value)
  }
}

import { cn } from '@/lib/cn.ts'
import { jobWord } from './job.ts'

type Look = 'running' | 'warning' | 'success' | 'failed' | 'other'

/** How a state of a job looks; words nobody knows stay grey. */
export function jobLook(status: string | null | undefined): Look {
  switch (status?.toUpperCase()) {
    case 'RUNNING':
      return 'running'
    case 'WARNING':
      return 'warning'
    case 'SUCCESS':
    case 'FINISHED':
      return 'success'
    case 'FAILED':
    case 'STOPPED':
      return 'failed'
    default:
      return 'other'
  }
}

// Yellow and orange lie close together, so running also has a shape that no other state has.
const looks: Record<Look, { colour: string; shape: React.ReactNode }> = {
  running: {
    colour: 'text-running',
    shape: (
      <>
        <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.6" />
        <path d="M6 6V1.8A4.2 4.2 0 0 1 6 10.2Z" fill="currentColor" />
      </>
    ),
  },
  warning: { colour: 'text-warn', shape: <path d="M6 1.2 11.2 10.6H.8Z" fill="currentColor" /> },
  success: { colour: 'text-ok', shape: <circle cx="6" cy="6" r="4.5" fill="currentColor" /> },
  failed: {
    colour: 'text-bad',
    shape: <rect x="1.75" y="1.75" width="8.5" height="8.5" rx="1" fill="currentColor" />,
  },
  other: {
    colour: 'text-unknown',
    shape: <circle cx="6" cy="6" r="3.9" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  },
}

/** The state of a job as shape and word. */
export function JobStatus({ status, className }: { status: string | null | undefined; className?: string }) {
  if (!status) return null
  const look = jobLook(status)
  return (
    <span data-look={look} className={cn('inline-flex min-w-0 items-center gap-1.5', className)}>
      <svg aria-hidden width={10} height={10} viewBox="0 0 12 12" className={cn('shrink-0', looks[look].colour)}>
        {looks[look].shape}
      </svg>
      <span className="truncate">{jobWord(status)}</span>
    </span>
  )
}

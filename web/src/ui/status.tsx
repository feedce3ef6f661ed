import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'
import type { Tone } from './badge.tsx'

export type Health = 'healthy' | 'warning' | 'unhealthy' | 'unknown'

const known: Record<string, Health> = {}
const learn = (health: Health, words: string) => words.split(' ').forEach((word) => (known[word] = health))
learn('unhealthy', 'unhealthy degraded missing bad failed failure fail error errored stopped critical')
learn('unknown', 'unknown suspended none pending scheduled waiting sleeping skipped cancelled canceled paused')
learn('warning', 'warning warn mixed running progressing')

/** The health a status word stands for: what is neither red, orange nor grey counts as healthy; nothing is unknown. */
export function toHealth(status: string | null | undefined): Health {
  if (!status) return 'unknown'
  return known[status.toLowerCase()] ?? 'healthy'
}

export const healthTone: Record<Health, Tone> = { healthy: 'ok', warning: 'warn', unhealthy: 'bad', unknown: 'neutral' }

const fill: Record<Health, string> = {
  healthy: 'text-ok',
  warning: 'text-warn',
  unhealthy: 'text-bad',
  unknown: 'text-unknown',
}

const shapes: Record<Health, ReactNode> = {
  healthy: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  warning: <path d="M6 1.2 11.2 10.6H.8Z" fill="currentColor" />,
  unhealthy: <rect x="1.75" y="1.75" width="8.5" height="8.5" rx="1" fill="currentColor" />,
  unknown: <circle cx="6" cy="6" r="3.9" fill="none" stroke="currentColor" strokeWidth="1.6" />,
}

/** The shape of a health state alone: ● ▲ ■ ○. Screen readers hear the word, pointers see it on hover. */
export function HealthMark({
  health,
  label,
  size = 12,
  className,
}: {
  health: Health
  label?: string
  size?: number
  className?: string
}) {
  return (
    <svg
      role="img"
      aria-label={label ?? health}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      className={cn('shrink-0', fill[health], className)}
    >
      <title>{label ?? health}</title>
      {shapes[health]}
    </svg>
  )
}

export interface StatusProps {
  /** Any status word; it decides the shape unless `health` is given. */
  status?: string | null
  health?: Health
  /** Shown instead of the status word. */
  children?: ReactNode
  className?: string
}

/** A state as shape and word; never colour alone. */
export function Status({ status, health = toHealth(status), children, className }: StatusProps) {
  return (
    <span className={cn('inline-flex min-w-0 items-center gap-1.5', className)}>
      <svg aria-hidden width={10} height={10} viewBox="0 0 12 12" className={cn('shrink-0', fill[health])}>
        {shapes[health]}
      </svg>
      <span className="truncate">{children ?? status ?? health}</span>
    </span>
  )
}

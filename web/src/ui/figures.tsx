import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'
import {
  formatCost,
  formatCurrency,
  formatMillis,
  formatPercent,
  formatSpan,
  splitBytes,
  usageHighlight,
} from '@/lib/format.ts'

interface FigureProps {
  children: ReactNode
  unit?: ReactNode
  title?: string
  className?: string
}

/** A figure with its unit set smaller, so that columns of figures read as figures. */
export function Figure({ children, unit, title, className }: FigureProps) {
  return (
    <span title={title} className={cn('whitespace-nowrap', className)}>
      {children}
      {unit && <span className="ml-0.5 text-[0.85em] font-normal text-subtle">{unit}</span>}
    </span>
  )
}

const split = (text: string) => /^(-?[\d.,]+)\s*(.*)$/.exec(text)?.slice(1) ?? [text, '']

/** A measured time such as a latency: 850 ms, 1.5 s. */
export function Millis({ ms, className }: { ms: number | null | undefined; className?: string }) {
  if (ms === null || ms === undefined) return null
  const [figure, unit] = split(formatMillis(ms))
  return (
    <Figure unit={unit} className={className}>
      {figure}
    </Figure>
  )
}

/** How long something took: 1m 5s, with all parts on hover. */
export function Duration({ ms, className }: { ms: number | null | undefined; className?: string }) {
  if (ms === null || ms === undefined) return null
  return (
    <Figure title={formatSpan(ms)} className={className}>
      {formatSpan(ms, 2)}
    </Figure>
  )
}

/** A size in bytes: 1.5 KB. */
export function Bytes({ bytes, className }: { bytes: number | null | undefined; className?: string }) {
  if (bytes === null || bytes === undefined) return null
  const [figure, unit] = splitBytes(bytes)
  return (
    <Figure unit={unit} title={`${bytes.toLocaleString('en')} bytes`} className={className}>
      {figure}
    </Figure>
  )
}

/** A percentage; with `highlight` it turns red above 70. */
export function Percent({
  percent,
  highlight,
  className,
}: {
  percent: number | null | undefined
  highlight?: boolean
  className?: string
}) {
  if (percent === null || percent === undefined) return null
  const [figure, unit] = split(formatPercent(percent))
  return (
    <Figure unit={unit} className={cn(highlight && percent > usageHighlight && 'font-medium text-bad-text', className)}>
      {figure}
    </Figure>
  )
}

/** A cost in dollars: cents below ten, whole dollars above; `compact` writes 1.2k. */
export function Cost({
  dollars,
  compact,
  className,
}: {
  dollars: number | null | undefined
  compact?: boolean
  className?: string
}) {
  if (dollars === null || dollars === undefined) return null
  return (
    <Figure title={`$${dollars}`} className={className}>
      {compact ? formatCurrency(dollars) : formatCost(dollars)}
    </Figure>
  )
}

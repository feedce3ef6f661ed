import { Badge, type Tone } from '@/ui/badge.tsx'
import { cn } from '@/lib/cn.ts'
import { Icon } from '@/ui/icons/icon.tsx'
import { wordOf } from './insight.ts'

const tones: Record<string, Tone> = {
  critical: 'bad',
  blocker: 'bad',
  high: 'bad',
  medium: 'warn',
  warning: 'warn',
  low: 'neutral',
  info: 'neutral',
}

/** How bad it is, as word and colour. */
export function SeverityBadge({ severity }: { severity: string | null | undefined }) {
  if (!severity) return null
  return <Badge tone={tones[severity.toLowerCase()] ?? 'neutral'}>{wordOf(severity)}</Badge>
}

const icons: Record<string, string> = {
  availability: 'activity',
  compliance: 'ticket',
  performance: 'gauge',
  reliability: 'scale',
  security: 'shield',
  other: 'recommendation',
}

/** What an insight is about, as icon and word. */
export function AnalysisType({ type, className }: { type: string | null | undefined; className?: string }) {
  if (!type) return null
  return (
    <span className={cn('inline-flex min-w-0 items-center gap-1.5', className)}>
      <Icon name={icons[type] ?? type} fallback="recommendation" size={14} />
      <span className="truncate">{wordOf(type)}</span>
    </span>
  )
}

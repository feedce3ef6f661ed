import { TrendingDown, TrendingUp } from 'lucide-react'
import { cn } from '@/lib/cn.ts'
import { formatCost, formatPercent } from '@/lib/format.ts'
import { Badge } from '@/ui/badge.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { MiddleText } from '@/ui/middle-text.tsx'
import { type Health, Status, toHealth } from '@/ui/status.tsx'
import { type ConfigCosts, costChange, notableCostChange } from './config.ts'

const healths: readonly string[] = ['healthy', 'unhealthy', 'warning', 'unknown'] satisfies Health[]

/** The health of an item; a word that is none counts as unknown. */
export const configHealth = (health: string | null | undefined): Health =>
  healths.includes(health ?? '') ? (health as Health) : toHealth(health ? 'unknown' : null)

/** Icon and name of an item, without a link. */
export function ConfigName({
  name,
  type,
  icon,
  className,
}: {
  name: string
  type: string
  icon?: string | null
  className?: string
}) {
  return (
    <span className={cn('flex min-w-0 items-center gap-2', className)} title={`${type}: ${name}`}>
      <Icon name={icon ?? type} fallback={type} />
      <MiddleText text={name} />
    </span>
  )
}

/** Marks what is gone. */
function DeletedMark({ at }: { at?: string | null }) {
  return (
    <Badge tone="bad" title={at ? `Deleted ${new Date(at).toLocaleString('en-GB')}` : undefined}>
      deleted
    </Badge>
  )
}

/** Health as a shape, the status as the word; what is deleted says so in red. */
export function ConfigStatus({
  item,
  className,
}: {
  item: { health?: string | null; status?: string | null; deleted_at?: string | null }
  className?: string
}) {
  return (
    <span className={cn('flex min-w-0 items-center gap-2', className)}>
      {(item.health || item.status) && (
        <Status health={configHealth(item.health)} className="min-w-0">
          {item.status || item.health}
        </Status>
      )}
      {item.deleted_at && <DeletedMark at={item.deleted_at} />}
    </span>
  )
}

/** How much the last day cost more (red) or less (green) than usual; nothing below ten percent. */
export function CostChangeBadge({ costs, className }: { costs: ConfigCosts; className?: string }) {
  const percent = costChange(costs)
  if (percent === undefined || Math.abs(percent) <= notableCostChange) return null
  const isUp = percent > 0
  const Arrow = isUp ? TrendingUp : TrendingDown
  const average = formatCost(Number(costs.cost_total_30d) / 30)
  return (
    <Badge
      tone={isUp ? 'bad' : 'ok'}
      className={className}
      title={`The last day cost ${formatCost(Number(costs.cost_total_1d))}, the daily average of 30 days is ${average}`}
    >
      <Arrow size={12} aria-hidden />
      <span className="sr-only">Cost {isUp ? 'up' : 'down'} by </span>
      {formatPercent(Math.abs(percent))}
    </Badge>
  )
}

import { X } from 'lucide-react'
import type { Ref } from 'react'
import { Link } from 'react-router'
import { paths } from '@/app/paths.ts'
import { formatBytes, formatCost, formatMillicores, formatMillis, formatNumber } from '@/lib/format.ts'
import { Age, DateTime } from '@/ui/age.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { KeyValueList } from '@/ui/key-value.tsx'
import { CollapsibleSection } from '@/ui/section.tsx'
import { ShowMore } from '@/ui/show-more.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { TagList } from '@/ui/tag-list.tsx'
import { isSafeLink } from '@/ui/text/safe-link.ts'
import { UsageBar } from '@/ui/usage-bar.tsx'
import { AgentBadge } from '../agent-badge.tsx'
import { agentIdOf } from '../people.ts'
import type { ConfigDetail, ConfigProperty } from './config.ts'
import { ConfigStatus, CostChangeBadge } from './config-marks.tsx'

/** From here properties fold away. */
const mostProperties = 6

/** The details of an item beside its pages. */
export function ConfigSidebar({
  item,
  onClose,
  ref,
}: {
  item: ConfigDetail | undefined
  onClose: () => void
  ref?: Ref<HTMLElement>
}) {
  return (
    <aside
      ref={ref}
      aria-label="Details"
      className="w-80 shrink-0 overflow-y-auto border-l border-line bg-surface px-4 max-md:fixed max-md:inset-y-0 max-md:right-0 max-md:z-30 max-md:shadow-dialog"
    >
      <div className="flex h-11 items-center justify-between">
        <h2 className="text-sm font-semibold">Details</h2>
        <IconButton icon={X} label="Hide details" size="sm" onClick={onClose} />
      </div>
      {item ? <Sections item={item} /> : <SkeletonLines lines={8} />}
    </aside>
  )
}

function Sections({ item }: { item: ConfigDetail }) {
  const properties = (item.properties ?? []).filter((property) => property.type !== 'hidden')
  return (
    <>
      <div className="border-b border-line pb-3">
        <KeyValueList
          items={[
            ['Type', <span key="type">{item.type}</span>],
            !!(item.health || item.status || item.deleted_at) && ['Status', <ConfigStatus key="status" item={item} />],
            !!item.description && ['Description', item.description],
            item.config_scrapers && [
              'Scraper',
              <Link
                key="scraper"
                to={paths.scraper(item.config_scrapers.id)}
                className="text-accent-text hover:underline"
              >
                {item.config_scrapers.name}
              </Link>,
            ],
            !!agentIdOf(item.agent_id) && ['Agent', <AgentBadge key="agent" id={item.agent_id} />],
            ['Created', <DateTime key="created" value={item.created_at} />],
            !!item.updated_at && ['Updated', <DateTime key="updated" value={item.updated_at} />],
            !!item.last_scraped_time && [
              'Last scraped',
              <Age key="scraped" value={item.last_scraped_time} suffix=" ago" />,
            ],
            !!item.deleted_at && ['Deleted', <DateTime key="deleted" value={item.deleted_at} />],
            !!item.delete_reason && ['Reason', reasons[item.delete_reason] ?? item.delete_reason],
          ]}
        />
      </div>
      {properties.length > 0 && (
        <CollapsibleSection title="Properties" count={properties.length}>
          <div className="flex flex-col gap-1.5">
            <ShowMore
              items={[...properties].sort((a, b) => (a.order ?? 0) - (b.order ?? 0))}
              max={mostProperties}
              render={(property, index) => <Property key={index} property={property} />}
            />
          </div>
        </CollapsibleSection>
      )}
      <Pairs title="Tags" pairs={item.tags} />
      <Pairs title="Labels" pairs={item.labels} />
      <Costs item={item} />
    </>
  )
}

const reasons: Record<string, string> = {
  STALE: 'No longer found by its scraper',
  FROM_ATTRIBUTE: 'Marked as deleted in its source',
  FROM_DELETE_FIELD: 'Marked as deleted in its source',
  WATCH: 'Deleted in its source',
  SCRAPER_DELETED: 'Its scraper was deleted',
}

function Pairs({ title, pairs }: { title: string; pairs: Record<string, string> | null }) {
  const count = Object.keys(pairs ?? {}).length
  if (count === 0) return null
  return (
    <CollapsibleSection title={title} count={count}>
      <TagList tags={pairs} max={40} wrap />
    </CollapsibleSection>
  )
}

function Costs({ item }: { item: ConfigDetail }) {
  const costs = [
    ['Per minute', item.cost_per_minute],
    ['Last day', item.cost_total_1d],
    ['7 days', item.cost_total_7d],
    ['30 days', item.cost_total_30d],
  ] as const
  if (costs.every(([, cost]) => !cost)) return null
  return (
    <CollapsibleSection title="Costs" actions={<CostChangeBadge costs={item} />}>
      <KeyValueList
        items={costs.map(([label, cost]) => cost !== null && cost !== undefined && [label, formatCost(cost)])}
      />
    </CollapsibleSection>
  )
}

function Property({ property }: { property: ConfigProperty }) {
  const name = property.label ?? property.name ?? ''
  return (
    <div className="grid grid-cols-[minmax(5rem,2fr)_minmax(0,3fr)] gap-x-3 text-sm" title={property.tooltip}>
      <span className="flex min-w-0 items-center gap-1.5 text-subtle">
        {property.icon && <Icon name={property.icon} size={13} />}
        <span className="truncate" title={name}>
          {name}
        </span>
      </span>
      <span className="min-w-0 break-words">
        <PropertyValue property={property} />
      </span>
    </div>
  )
}

function PropertyValue({ property }: { property: ConfigProperty }) {
  const links = (property.links ?? []).filter((link) => link.url && isSafeLink(link.url))
  if (links.length > 0)
    return links.map((link) => (
      <ExternalLink key={link.url} to={link.url!} text={link.label ?? link.text ?? link.type ?? link.url!} />
    ))
  const text = property.text ?? ''
  if (property.type === 'url' && isSafeLink(text)) return <ExternalLink to={text} text={text} />
  if (text !== '') return text
  if (property.value === undefined || property.value === null) return null
  const value = Number(property.value)
  const max = Number(property.max ?? Number.NaN)
  if (max > 0) {
    return (
      <UsageBar percent={(value / max) * 100} label={property.name ?? 'Usage'}>
        {figure(value, property)} of {figure(max, property)}
      </UsageBar>
    )
  }
  return figure(value, property)
}

function figure(value: number, { unit, type }: ConfigProperty): string {
  if (type === 'currency') return formatCost(value)
  if (unit?.startsWith('bytes')) return formatBytes(value)
  if (unit?.startsWith('milli') && unit.includes('core')) return formatMillicores(value)
  if (unit === 'milliseconds') return formatMillis(value)
  if (unit === 'epoch') return new Date(value * 1000).toLocaleString('en-GB')
  return `${formatNumber(value, 2)}${unit ? ` ${unit}` : ''}`
}

function ExternalLink({ to, text }: { to: string; text: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer noopener" className="mr-2 text-accent-text break-all hover:underline">
      {text}
    </a>
  )
}

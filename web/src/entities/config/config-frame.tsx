import { useQuery } from '@tanstack/react-query'
import { PanelRight, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { NavLink, useParams } from 'react-router'
import { useAccess } from '@/api/access.tsx'
import { paths, withQuery } from '@/app/paths.ts'
import { usePageName, usePageParent } from '@/lib/page-name.ts'
import { Age } from '@/ui/age.tsx'
import { Badge } from '@/ui/badge.tsx'
import { CountBadge } from '@/ui/count-badge.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { Skeleton, SkeletonLines } from '@/ui/skeleton.tsx'
import { tabClass, tabListClass } from '@/ui/tabs.tsx'
import { TagList } from '@/ui/tag-list.tsx'
import { useNow } from '@/ui/use-now.ts'
import { type ConfigCounts, type ConfigDetail, isScrapeStale } from './config.ts'
import { ConfigStatus, CostChangeBadge } from './config-marks.tsx'
import { ConfigSidebar } from './config-sidebar.tsx'
import { configDetailQuery } from './config.queries.ts'
import { useSidebarOpen } from './use-sidebar-open.ts'

interface ItemTab {
  label: string
  to: (id: string) => string
  count?: keyof ConfigCounts
  /** Shown once the server has this area. */
  area?: string
}

/** The pages of an item, in their order. */
const itemTabs: readonly ItemTab[] = [
  { label: 'Config', to: paths.config },
  { label: 'Changes', to: paths.configChanges, count: 'changes' },
  { label: 'Insights', to: paths.configInsights, count: 'analysis' },
  { label: 'Relationships', to: paths.configRelationships, count: 'relationships' },
  { label: 'Playbooks', to: paths.configPlaybooks, count: 'playbook_runs', area: 'playbooks' },
  { label: 'Checks', to: paths.configChecks, count: 'checks' },
]

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What surrounds every page of a catalog item: its name and state, its tabs, its details at the side. */
export function ConfigFrame({ children }: { children: (item: ConfigDetail) => ReactNode }) {
  const { id = '' } = useParams()
  const isId = uuid.test(id)
  const { data: item, error, refetch } = useQuery({ ...configDetailQuery(id), enabled: isId })
  usePageName(paths.config(id), item?.name)
  usePageParent(paths.config(id), item && item.type, item && withQuery(paths.catalog, { configType: item.type }))
  const { isOpen, open, close, panel } = useSidebarOpen()
  if (!isId || item === null)
    return <EmptyState title="Details not found">This item is not in the catalog, or no longer.</EmptyState>
  if (error && !item) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return (
    <div className="flex h-full min-w-0">
      <div className="flex min-w-0 flex-1 flex-col">
        <ItemHeader item={item} isSidebarOpen={isOpen} onOpenSidebar={open} />
        <ItemTabs id={id} counts={item?.summary} />
        <div className="min-h-0 flex-1">{item ? children(item) : <SkeletonLines lines={10} className="p-4" />}</div>
      </div>
      {isOpen && <ConfigSidebar item={item} onClose={close} ref={panel} />}
    </div>
  )
}

function ItemHeader({
  item,
  isSidebarOpen,
  onOpenSidebar,
}: {
  item: ConfigDetail | undefined
  isSidebarOpen: boolean
  onOpenSidebar: () => void
}) {
  const now = useNow(60_000)
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 bg-surface px-4 pt-1.5">
      {item ? (
        <>
          <span className="flex min-w-0 items-center gap-2">
            <Icon name={item.type} size={18} />
            <span className="truncate font-medium">{item.name}</span>
          </span>
          <ConfigStatus item={item} />
          <CostChangeBadge costs={item} />
          {isScrapeStale(item, now) && (
            <Badge tone="warn" title="Its scraper has not seen it since; what is shown may be out of date">
              <TriangleAlert size={12} aria-hidden />
              Last scraped <Age value={item.last_scraped_time} suffix=" ago" />
            </Badge>
          )}
          <TagList tags={item.tags} max={3} className="max-lg:hidden" />
        </>
      ) : (
        <Skeleton className="h-5 w-64" />
      )}
      {!isSidebarOpen && (
        <IconButton icon={PanelRight} label="Show details" className="ml-auto" onClick={onOpenSidebar} />
      )}
    </div>
  )
}

function ItemTabs({ id, counts }: { id: string; counts: ConfigCounts | null | undefined }) {
  const { capabilities } = useAccess()
  return (
    <nav aria-label="About this item" className={`${tabListClass} shrink-0 bg-surface px-4`}>
      {itemTabs
        .filter(({ area }) => !area || capabilities.areas.includes(area))
        .map(({ label, to, count }) => (
          <NavLink key={label} to={to(id)} end className={tabClass}>
            {label}
            {count && counts && <CountBadge count={counts[count] ?? 0} />}
          </NavLink>
        ))}
    </nav>
  )
}

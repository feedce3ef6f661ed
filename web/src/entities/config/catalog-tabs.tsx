import { NavLink, useLocation } from 'react-router'
import { useCan } from '@/api/access.tsx'
import { paths, withQuery } from '@/app/paths.ts'
import { cn } from '@/lib/cn.ts'
import { tabClass, tabListClass } from '@/ui/tabs.tsx'

/** The pages of the catalog as tabs. The chosen type goes along to every list that can be narrowed by it. */
export function CatalogTabs({ className }: { className?: string }) {
  const { search } = useLocation()
  const canSeeScrapers = useCan('read', 'config_scrapers')
  const configType = new URLSearchParams(search).get('configType')
  const tabs = [
    { to: withQuery(paths.catalog, { configType }), label: 'Catalog' },
    { to: withQuery(paths.catalogChanges, { configType }), label: 'Changes' },
    { to: withQuery(paths.catalogInsights, { configType }), label: 'Insights' },
    ...(canSeeScrapers ? [{ to: paths.scrapers, label: 'Scrapers' }] : []),
  ]
  return (
    <nav aria-label="Catalog" className={cn(tabListClass, 'shrink-0 bg-surface px-4', className)}>
      {tabs.map(({ to, label }) => (
        <NavLink key={label} to={to} end={label === 'Catalog'} className={tabClass}>
          {label}
        </NavLink>
      ))}
    </nav>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useAccess } from '@/api/access.tsx'
import { ComponentLink } from '../resource-link.tsx'
import { configLinksQuery } from './config-links.queries.ts'

/** The components of the topology that a catalog item belongs to; nothing where there is no topology or no link. */
export function LinkedComponents({ configId }: { configId: string }) {
  const hasTopology = useAccess().capabilities.areas.includes('topology')
  const { data } = useQuery({ ...configLinksQuery(configId), enabled: hasTopology })
  const components = (data ?? []).flatMap(({ components: component }) => (component ? [component] : []))
  if (components.length === 0) return null
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-4 py-2 text-sm">
      <span className="text-subtle">Components</span>
      {components.map((component) => (
        <ComponentLink key={component.id} component={component} />
      ))}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '@/app/paths.ts'
import { cn } from '@/lib/cn.ts'
import { Icon } from '@/ui/icons/icon.tsx'
import { MiddleText } from '@/ui/middle-text.tsx'
import { HealthMark, toHealth } from '@/ui/status.tsx'
import { type Resource, type ResourceKind, resourceQuery } from './resources.ts'

const addressOf: Record<ResourceKind, (id: string) => string> = {
  config: paths.config,
  component: paths.component,
  check: (id) => paths.check(id),
}

interface ResourceLinkProps {
  kind: ResourceKind
  /** The row when it is at hand; with the id alone its name is fetched. */
  resource?: Resource | null
  id?: string | null
  /** Drawn after the name, e.g. a status. */
  children?: ReactNode
  className?: string
}

/** Icon and name of something, linking to its page; nothing while it is unknown. */
function ResourceLink({ kind, resource, id, children, className }: ResourceLinkProps) {
  const wanted = resource?.id ?? id ?? ''
  const { data } = useQuery({ ...resourceQuery(kind, wanted), enabled: wanted !== '' && !resource?.name })
  const known = resource?.name ? resource : data
  if (!known) return null
  return (
    <Link
      to={addressOf[kind](known.id)}
      title={known.type ? `${known.type}: ${known.name}` : known.name}
      className={cn('inline-flex max-w-full min-w-0 items-center gap-1.5 rounded-sm hover:underline', className)}
    >
      <Icon name={known.icon} fallback={known.type} />
      <MiddleText text={known.name} />
      {children}
    </Link>
  )
}

type LinkProps = Pick<ResourceLinkProps, 'id' | 'className'>

/** A catalog item. */
export const ConfigLink = ({ config, ...props }: LinkProps & { config?: Resource | null }) => (
  <ResourceLink kind="config" resource={config} {...props} />
)

/** A component of the topology. */
export const ComponentLink = ({ component, ...props }: LinkProps & { component?: Resource | null }) => (
  <ResourceLink kind="component" resource={component} {...props} />
)

/** A check with its state. */
export const CheckBadge = ({ check, ...props }: LinkProps & { check?: Resource | null }) => (
  <ResourceLink kind="check" resource={check} {...props}>
    {check?.status && <HealthMark health={toHealth(check.status)} label={check.status} size={10} />}
  </ResourceLink>
)

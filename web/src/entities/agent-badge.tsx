import { useQuery } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '@/app/paths.ts'
import { cn } from '@/lib/cn.ts'
import { type Agent, agentIdOf, agentQuery } from './people.ts'

export interface AgentBadgeProps {
  /** The id alone; the name is fetched. */
  id?: string | null
  /** The agent when it came with the row. */
  agent?: Agent | null
  className?: string
}

/** Which agent reported something, as a link to it; nothing for the all-zero id, which means no agent. */
export function AgentBadge({ id, agent, className }: AgentBadgeProps) {
  const wanted = agentIdOf(agent?.id ?? id)
  const { data } = useQuery({ ...agentQuery(wanted ?? ''), enabled: wanted !== undefined && !agent?.name })
  const name = agent?.name ?? data?.name
  if (!wanted || !name) return null
  return (
    <Link
      to={paths.agent(wanted)}
      title={`Agent ${name}`}
      className={cn(
        'inline-flex h-5 max-w-40 items-center gap-1 rounded-sm bg-chip px-1.5 text-xs text-muted hover:text-fg',
        className,
      )}
    >
      <Bot size={12} aria-hidden className="shrink-0" />
      <span className="truncate">{name}</span>
    </Link>
  )
}

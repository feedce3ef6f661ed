import { useQuery } from '@tanstack/react-query'
import { cn } from '@/lib/cn.ts'
import { Avatar } from '@/ui/avatar.tsx'
import { type Person, personQuery } from './people.ts'

export interface PersonAvatarProps {
  person?: Person | null
  /** The id alone; the person is fetched. */
  id?: string | null
  size?: number
  /** Shows the name beside the picture. */
  withName?: boolean
  className?: string
}

/** A person's picture or initials, with the name on hover or beside it. */
export function PersonAvatar({ person, id, size = 22, withName = false, className }: PersonAvatarProps) {
  const { data } = useQuery({ ...personQuery(id ?? ''), enabled: !!id && !person })
  const known = person ?? data
  if (!known) return null
  const name = known.name || known.email || 'Unknown'
  return (
    <span title={withName ? undefined : name} className={cn('inline-flex min-w-0 items-center gap-1.5', className)}>
      <Avatar name={name} src={known.avatar} size={size} />
      {withName && <span className="truncate">{name}</span>}
    </span>
  )
}

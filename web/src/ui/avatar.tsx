import { useState } from 'react'
import { cn } from '@/lib/cn.ts'
import { Tooltip } from './tooltip.tsx'

/** "Ada King Lovelace" → "AL": the first letters of the first and last word. */
export function initials(name: string) {
  const words = name
    .trim()
    .split(/[\s._@-]+/u)
    .filter(Boolean)
  const chosen = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return chosen.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('')
}

export interface AvatarProps {
  name: string
  src?: string | null
  size?: number
  className?: string
}

/** A person's picture, or up to two initials when there is none. */
export function Avatar({ name, src, size = 24, className }: AvatarProps) {
  const [failed, setFailed] = useState<string>()
  const box = cn(
    'inline-grid shrink-0 place-items-center overflow-hidden rounded-full bg-pressed font-medium text-fg select-none',
    className,
  )
  if (src && failed !== src)
    return (
      <img
        src={src}
        alt={name}
        width={size}
        height={size}
        className={cn(box, 'object-cover')}
        style={{ width: size, height: size }}
        onError={() => setFailed(src)}
      />
    )
  return (
    <span
      role="img"
      aria-label={name || 'Unknown'}
      className={box}
      style={{ width: size, height: size, fontSize: Math.max(9, size * 0.4) }}
    >
      {initials(name) || '?'}
    </span>
  )
}

/** Overlapping avatars; beyond five the rest becomes "+N" with the names on hover. */
export function AvatarStack({
  people,
  size = 24,
  max = 5,
}: {
  people: readonly AvatarProps[]
  size?: number
  max?: number
}) {
  const shown = people.slice(0, max)
  const rest = people.slice(max)
  return (
    <span className="inline-flex items-center -space-x-1">
      {shown.map((person, i) => (
        <Tooltip key={i} content={person.name}>
          <span className="inline-flex rounded-full ring-2 ring-surface">
            <Avatar {...person} size={size} />
          </span>
        </Tooltip>
      ))}
      {rest.length > 0 && (
        <Tooltip content={rest.map((p) => p.name).join(', ')}>
          <span className="inline-grid h-6 place-items-center rounded-full bg-chip px-1.5 text-2xs font-medium text-muted ring-2 ring-surface">
            +{rest.length}
          </span>
        </Tooltip>
      )}
    </span>
  )
}

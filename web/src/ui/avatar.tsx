import { useState } from 'react'
import { cn } from '@/lib/cn.ts'

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

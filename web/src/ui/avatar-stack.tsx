import { Avatar, type AvatarProps } from './avatar.tsx'
import { Tooltip } from './tooltip.tsx'

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

/** Things of one kind that refer to something. */
export interface ResourceUse {
  what: string
  count: number
  /** The first few. */
  names: string[]
  /** It cannot go before they do. */
  blocks: boolean
}

/** What refers to something that is about to be deleted; nothing when nothing does. */
export function Uses({ uses, title = 'It is in use:' }: { uses: readonly ResourceUse[]; title?: string }) {
  if (uses.length === 0) return null
  return (
    <div className="mb-2 rounded-md bg-warn-soft px-3 py-2 text-warn-text">
      <p className="font-medium">{title}</p>
      <ul className="list-disc pl-4">
        {uses.map(({ what, count, names }) => (
          <li key={what} className="break-words">
            {count} {what}
            {names.length > 0 && `: ${names.join(', ')}${count > names.length ? ', …' : ''}`}
          </li>
        ))}
      </ul>
    </div>
  )
}

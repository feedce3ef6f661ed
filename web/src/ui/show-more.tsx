import { type ReactNode, useState } from 'react'

/** The first few of a list and a button for the rest; several lists of the product fold this way. */
export function ShowMore<T>({
  items,
  max,
  render,
  label = 'show more ...',
}: {
  items: readonly T[]
  max: number
  render: (item: T, index: number) => ReactNode
  label?: string
}) {
  const [open, setOpen] = useState(false)
  const shown = open ? items : items.slice(0, max)
  return (
    <>
      {shown.map(render)}
      {items.length > max && (
        <button
          type="button"
          onClick={() => setOpen(!open)}
          className="w-fit rounded-sm text-xs text-accent-text hover:underline"
        >
          {open ? 'show less' : label}
        </button>
      )}
    </>
  )
}

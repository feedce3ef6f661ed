import { type ComponentType, lazy, type MouseEventHandler, type ReactNode, Suspense, useState } from 'react'

/** What a button needs to open something that has yet to be loaded. */
export interface Opener {
  onPointerEnter: () => void
  onFocus: () => void
  onClick: MouseEventHandler
}

/**
 * A button whose menu is loaded when it is first pointed at, and put in the button's place when it is first opened.
 * The menu brings the same button, so nothing is seen of the change.
 */
export function onDemand<P extends { defaultOpen: boolean }>(load: () => Promise<ComponentType<P>>) {
  type Rest = Omit<P, 'defaultOpen'>
  const Menu = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>
  return function OnDemand({ button, ...rest }: Rest & { button: (opener: Opener) => ReactNode }) {
    const [opened, setOpened] = useState(false)
    const preload = () => void load().catch(() => {})
    const placeholder = button({ onPointerEnter: preload, onFocus: preload, onClick: () => setOpened(true) })
    if (!opened) return placeholder
    const props = { ...rest, defaultOpen: true } as unknown as P
    return (
      <Suspense fallback={placeholder}>
        <Menu {...props} />
      </Suspense>
    )
  }
}

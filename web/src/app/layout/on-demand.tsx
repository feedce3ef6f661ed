import { type ComponentType, lazy, Suspense, useState } from 'react'

/** What a button needs to open something that has yet to be loaded. */
interface Opener {
  onPointerEnter?: () => void
  onFocus?: () => void
  onClick?: () => void
}

/**
 * A button whose menu is loaded when it is first pointed at, and put in the button's place when it is first opened.
 * The menu brings the same button, so nothing is seen of the change.
 */
export function onDemand<P extends { defaultOpen: boolean }>(
  Trigger: ComponentType<Opener>,
  load: () => Promise<ComponentType<P>>,
) {
  const Menu = lazy(async () => ({ default: await load() })) as unknown as ComponentType<P>
  const preload = () => void load().catch(() => {})
  return function OnDemand(rest: Omit<P, 'defaultOpen'>) {
    const [opened, setOpened] = useState(false)
    const trigger = <Trigger onPointerEnter={preload} onFocus={preload} onClick={() => setOpened(true)} />
    if (!opened) return trigger
    const props = { ...rest, defaultOpen: true } as unknown as P
    return (
      <Suspense fallback={trigger}>
        <Menu {...props} />
      </Suspense>
    )
  }
}

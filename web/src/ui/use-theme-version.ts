import { useSyncExternalStore } from 'react'

let version = 0

function subscribe(listener: () => void) {
  const changed = () => {
    version++
    listener()
  }
  const attribute = new MutationObserver(changed)
  attribute.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const system = window.matchMedia?.('(prefers-color-scheme: dark)')
  system?.addEventListener('change', changed)
  return () => {
    attribute.disconnect()
    system?.removeEventListener('change', changed)
  }
}

/** Changes whenever the theme does; for drawings on canvas, which do not follow CSS variables by themselves. */
export function useThemeVersion(): number {
  return useSyncExternalStore(subscribe, () => version)
}

/** The value of a colour variable of the theme now. */
export function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

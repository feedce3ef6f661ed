import { useSyncExternalStore } from 'react'

// Below this the chart would push the history out of view, so it gets a tab of its own.
const query = '(max-height: 760px)'

function subscribe(listener: () => void) {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the window is too low to show the chart and a tab below each other. */
export const useShortScreen = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)

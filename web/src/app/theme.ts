import { useEffect } from 'react'
import { useStored } from '@/lib/storage.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

// public/early.js reads the same key before the first paint.
const key = 'quarterdeck.theme'

/** The chosen theme, kept across visits and tabs; `system` follows the operating system. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [stored, setStored] = useStored<Theme>(key, 'system')
  const theme = themes.includes(stored) ? stored : 'system'
  useEffect(() => {
    const root = document.documentElement
    if (theme === 'system') delete root.dataset.theme
    else root.dataset.theme = theme
  }, [theme])
  return [theme, setStored]
}

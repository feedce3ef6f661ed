import { useStored } from '@/lib/storage.ts'

const key = 'quarterdeck.sidebar'
/** Below this width the open menu lies over the page and goes away with a click beside it. */
export const narrow = 1024

export interface Sidebar {
  collapsed: boolean
  setCollapsed(collapsed: boolean): void
}

/** Whether the menu is a strip of icons; kept across visits. Small windows begin with the strip. */
export function useSidebar(): Sidebar {
  const [stored, setStored] = useStored<'collapsed' | 'expanded' | null>(key, null)
  const collapsed = stored === null ? window.innerWidth < narrow : stored === 'collapsed'
  return { collapsed, setCollapsed: (next) => setStored(next ? 'collapsed' : 'expanded') }
}

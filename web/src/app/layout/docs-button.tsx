import { BookOpen } from 'lucide-react'
import type { ComponentProps } from 'react'
import { HeaderButton } from './header-button.tsx'
import { onDemand } from './on-demand.tsx'

/** The book that opens the documentation menu. */
export const DocsTrigger = (props: ComponentProps<'button'>) => (
  <HeaderButton icon={BookOpen} label="Documentation" hint={false} aria-haspopup="menu" {...props} />
)

/** Where to read more. */
export const DocsButton = onDemand(DocsTrigger, () => import('./docs-menu.tsx').then((module) => module.DocsMenu))

import { BookOpen } from 'lucide-react'
import type { ComponentProps } from 'react'
import { HeaderButton } from './header-button.tsx'
import { onDemand } from './on-demand.tsx'

const DocsMenu = onDemand(() => import('./docs-menu.tsx').then((module) => module.DocsMenu))

/** Where to read more. */
export function DocsButton({ onOpenShortcuts }: { onOpenShortcuts: () => void }) {
  return <DocsMenu onOpenShortcuts={onOpenShortcuts} button={(opener) => <DocsTrigger {...opener} />} />
}

export const DocsTrigger = (props: ComponentProps<'button'>) => (
  <HeaderButton icon={BookOpen} label="Documentation" hint={false} aria-haspopup="menu" {...props} />
)

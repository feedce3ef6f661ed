import { Braces, Keyboard } from 'lucide-react'
import { useState } from 'react'
import { Menu, MenuItem, MenuLink } from '@/ui/menu.tsx'
import { DocsTrigger } from './docs-button.tsx'

/** What the documentation button opens. */
export function DocsMenu({ onOpenShortcuts, defaultOpen }: { onOpenShortcuts: () => void; defaultOpen: boolean }) {
  const [open, setOpen] = useState(defaultOpen)
  return (
    <Menu open={open} onOpenChange={setOpen} trigger={<DocsTrigger />}>
      <MenuLink icon={Braces} link={<a href="/api/v1/openapi.json" target="_blank" rel="noreferrer" />}>
        API description
      </MenuLink>
      <MenuItem icon={Keyboard} hint="?" onSelect={onOpenShortcuts}>
        Keyboard shortcuts
      </MenuItem>
    </Menu>
  )
}

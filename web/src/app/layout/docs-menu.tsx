import { Braces, FileText, Keyboard } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { documents } from '@/features/docs/documents.ts'
import { Menu, MenuGroup, MenuItem, MenuLink, MenuSeparator } from '@/ui/menu.tsx'
import { paths } from '../paths.ts'
import { DocsTrigger } from './docs-button.tsx'

/** What the documentation button opens. */
export function DocsMenu({ onOpenShortcuts, defaultOpen }: { onOpenShortcuts: () => void; defaultOpen: boolean }) {
  const [open, setOpen] = useState(defaultOpen)
  return (
    <Menu open={open} onOpenChange={setOpen} trigger={<DocsTrigger />}>
      <MenuGroup label="Documentation">
        {documents.slice(0, 5).map(({ name, title }) => (
          <MenuLink key={name} icon={FileText} link={<Link to={paths.doc(name)} />}>
            {title}
          </MenuLink>
        ))}
        <MenuLink link={<Link to={paths.docs} />}>
          <span className="pl-[23px]">All documents</span>
        </MenuLink>
      </MenuGroup>
      <MenuSeparator />
      <MenuLink icon={Braces} link={<a href="/api/v1/openapi.json" target="_blank" rel="noreferrer" />}>
        API description
      </MenuLink>
      <MenuItem icon={Keyboard} hint="?" onSelect={onOpenShortcuts}>
        Keyboard shortcuts
      </MenuItem>
    </Menu>
  )
}

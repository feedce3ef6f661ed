import { useState } from 'react'
import { Link } from 'react-router'
import { Menu, MenuGroup, MenuLink } from '@/ui/menu.tsx'
import type { NavItem } from '../nav.ts'
import { SettingsTrigger } from './sidebar.tsx'

/** The settings submenu of the icon strip. */
export function SettingsMenu({ items, defaultOpen }: { items: readonly NavItem[]; defaultOpen: boolean }) {
  const [open, setOpen] = useState(defaultOpen)
  return (
    <Menu side="right" align="start" open={open} onOpenChange={setOpen} trigger={<SettingsTrigger />}>
      <MenuGroup label="Settings">
        {items.map((item) => (
          <MenuLink key={item.to} link={<Link to={item.to} />}>
            {item.label}
          </MenuLink>
        ))}
      </MenuGroup>
    </Menu>
  )
}

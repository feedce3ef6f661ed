import { Drawer } from '@/ui/drawer.tsx'
import type { Nav } from '../nav.ts'
import { NavList } from './sidebar.tsx'

/** The menu on a phone: everything, over the page, with room for fingers. */
export function PhoneMenu({ nav, onClose }: { nav: Nav; onClose: () => void }) {
  return (
    <Drawer open side="left" size="small" title="Quarterdeck" onOpenChange={onClose} bodyClassName="px-3 py-3">
      <nav aria-label="Main" className="[&_a]:h-10 [&_button]:h-10">
        <NavList nav={nav} onGo={onClose} />
      </nav>
    </Drawer>
  )
}

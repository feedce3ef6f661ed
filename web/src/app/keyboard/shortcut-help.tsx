import { Dialog } from '@/ui/dialog.tsx'
import { Kbd } from '@/ui/kbd.tsx'
import type { Nav } from '../nav.ts'
import { generalShortcuts, goTargets, type Shortcut } from './shortcuts.ts'

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** All shortcuts on one page. */
export function ShortcutHelp({ nav, onClose }: { nav: Nav; onClose: () => void }) {
  const going = goTargets(nav).map(({ key, label }) => ({ keys: ['g', key], what: label }))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Keyboard shortcuts" size="small">
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <Group title="Everywhere" shortcuts={generalShortcuts(mac)} />
        <Group title="Go to" shortcuts={going} />
      </div>
    </Dialog>
  )
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <h3 className="mb-2 text-xs font-medium text-subtle">{title}</h3>
      <dl className="flex flex-col gap-1.5">
        {shortcuts.map(({ keys, what }) => (
          <div key={what} className="flex items-center justify-between gap-4 text-sm">
            <dt>{what}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link2, Unlink } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '@/api/access.tsx'
import { cn } from '@/lib/cn.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { Switch } from '@/ui/switch.tsx'
import { ConfigLink as LinkToConfig } from '../resource-link.tsx'
import { componentLinksQuery, type ConfigLink, isGone, manual, useUnlinkConfig } from './config-links.queries.ts'
import { LinkToCatalogDialog } from './link-to-catalog-dialog.tsx'

/** The catalog items of a component: the panel of the topology. People take away only what people linked. */
export function ComponentConfigLinks({ componentId }: { componentId: string }) {
  const [hideDeleted, setHideDeleted] = useState(true)
  const [isLinking, setLinking] = useState(false)
  const [leaving, setLeaving] = useState<ConfigLink>()
  const canWrite = useCan('write', 'database')
  const { data } = useQuery(componentLinksQuery(componentId, { hideDeleted }))
  const unlink = useUnlinkConfig(componentId)
  const links = data?.filter((link) => link.configs && !(hideDeleted && isGone(link)))
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <Switch label="Hide deleted" checked={hideDeleted} onCheckedChange={setHideDeleted} />
        {canWrite && (
          <Button size="sm" icon={Link2} onClick={() => setLinking(true)}>
            Link to Catalog
          </Button>
        )}
      </div>
      {!links && <SkeletonLines lines={3} />}
      {links?.length === 0 && <EmptyState title="No catalog items linked" />}
      <ul aria-label="Linked catalog items" className="flex flex-col">
        {links?.map((link) => (
          <li
            key={`${link.config_id} ${link.selector_id}`}
            className={cn('flex h-8 min-w-0 items-center gap-2 text-sm', isGone(link) && 'text-subtle')}
          >
            <LinkToConfig config={link.configs} className="min-w-0 flex-1" />
            {isGone(link) && <Badge tone="bad">deleted</Badge>}
            {canWrite && link.selector_id === manual && (
              <IconButton
                size="sm"
                icon={Unlink}
                label={`Unlink ${link.configs!.name}`}
                onClick={() => setLeaving(link)}
              />
            )}
          </li>
        ))}
      </ul>
      {isLinking && <LinkToCatalogDialog componentId={componentId} onClose={() => setLinking(false)} />}
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={(open) => !open && setLeaving(undefined)}
        title={`Unlink ${leaving?.configs?.name ?? ''}?`}
        confirmLabel="Unlink"
        onConfirm={async () => {
          if (leaving) await unlink.mutateAsync(leaving.config_id)
        }}
      >
        The catalog item stays; only its link with this component goes.
      </ConfirmDialog>
    </div>
  )
}

import { Skeleton } from '@/ui/skeleton.tsx'
import { HeaderFrame } from './header.tsx'
import { SidebarFrame } from './sidebar.tsx'
import { useSidebar } from './use-sidebar.ts'

/** The whole shell while it loads; every bar stands where its content will be. */
export function ShellSkeleton() {
  const { collapsed } = useSidebar()
  return (
    <div role="status" aria-label="Loading" className="flex h-dvh">
      <SidebarFrame collapsed={collapsed}>
        <div className="flex h-12 items-center gap-2.5 px-3.5">
          <Skeleton className="size-6 rounded-md" />
          {!collapsed && <Skeleton className="w-24" />}
        </div>
        <div className="flex flex-col gap-0.5 px-2 py-1.5">
          {[64, 44, 60, 52, 32, 62, 54].map((width, index) => (
            <div key={index} className="flex h-8 items-center gap-2.5 px-2.5">
              <Skeleton className="size-4" />
              {!collapsed && <Skeleton style={{ width }} />}
            </div>
          ))}
        </div>
      </SidebarFrame>
      <div className="flex min-w-0 flex-1 flex-col">
        <HeaderFrame>
          <Skeleton className="w-28" />
          <span className="flex-1" />
          <Skeleton className="h-8 w-40 rounded-md max-md:w-8" />
          <Skeleton className="size-6.5 rounded-full" />
        </HeaderFrame>
        <PageSkeleton />
      </div>
    </div>
  )
}

/** A page whose code is on the way. */
export function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 p-4">
      <Skeleton className="h-8 w-full max-w-md rounded-md" />
      <div className="flex flex-col gap-3.5 pt-2">
        {[88, 76, 92, 70, 84].map((width) => (
          <Skeleton key={width} style={{ width: `${width}%` }} />
        ))}
      </div>
    </div>
  )
}

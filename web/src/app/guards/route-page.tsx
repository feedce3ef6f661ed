import { type ComponentType, lazy, Suspense } from 'react'
import { useMaybeAccess } from '@/api/access.tsx'
import type { AreaRoute, PageLoader } from '../area-route.ts'
import { PageNotLoaded, SwitchedOff, Unauthorized } from '../error-pages/screens.tsx'
import { loadHints } from '../layout/hint.tsx'
import { PageSkeleton } from '../layout/shell-skeleton.tsx'

const pages = new Map<PageLoader, ComponentType>()

function pageOf({ page: load, frame }: AreaRoute): ComponentType {
  let page = pages.get(load)
  if (!page) {
    // Tooltips come with the page: almost every page has some.
    page = lazy(async () => {
      if (frame === 'account') return { default: await loaded(load, load()) }
      const [Page, { TooltipProvider }] = await loaded(load, Promise.all([load(), loadHints()]))
      return {
        default: () => (
          <TooltipProvider>
            <Page />
          </TooltipProvider>
        ),
      }
    })
    pages.set(load, page)
  }
  return page
}

/** A page that could not be loaded is tried again at the next visit. */
async function loaded<T>(load: PageLoader, parts: Promise<T>): Promise<T> {
  try {
    return await parts
  } catch (cause) {
    pages.delete(load)
    throw new PageNotLoaded(cause)
  }
}

/** The page of a route, for those who may see it. Its frame shows at once, its code follows. */
export function RoutePage({ route }: { route: AreaRoute }) {
  const access = useMaybeAccess()
  if (access && route.feature && !access.has(route.feature)) return <SwitchedOff title={route.title} />
  if (access && route.access && !access.can(...route.access)) return <Unauthorized />
  const Page = pageOf(route)
  return (
    // The key makes a new page show its own frame instead of holding on to the page before.
    <Suspense key={route.path} fallback={route.frame === 'account' ? null : <PageSkeleton />}>
      <Page />
    </Suspense>
  )
}

import { type ComponentType, lazy, Suspense, useState } from 'react'
import { Segmented } from '../segmented.tsx'
import { SkeletonLines } from '../skeleton.tsx'
import { Toaster } from '../toast.tsx'
import { TooltipProvider } from '../tooltip.tsx'

const pages: Record<string, ComponentType> = {
  controls: lazy(async () => ({ default: (await import('./controls.tsx')).Controls })),
  tables: lazy(async () => ({ default: (await import('./tables.tsx')).Tables })),
  filters: lazy(async () => ({ default: (await import('./filters.tsx')).Filters })),
  code: lazy(async () => ({ default: (await import('./code.tsx')).Code })),
  forms: lazy(async () => ({ default: (await import('./forms.tsx')).Forms })),
  charts: lazy(async () => ({ default: (await import('./charts.tsx')).Charts })),
  graphs: lazy(async () => ({ default: (await import('./graphs.tsx')).Graphs })),
  display: lazy(async () => ({ default: (await import('./display.tsx')).Display })),
}

/** Every part of the kit on one page, to look at while building them. */
export function Gallery() {
  const asked = new URLSearchParams(location.search)
  const [page, setPage] = useState(asked.get('page') ?? 'controls')
  const [theme, setTheme] = useState(asked.get('theme') ?? 'light')
  const Page = pages[page] ?? pages.controls!
  document.documentElement.dataset.theme = theme
  return (
    <TooltipProvider>
      <Toaster />
      <div className="flex h-full flex-col">
        <header className="flex items-center gap-3 border-b border-line bg-surface px-4 py-2">
          <h1 className="text-base font-semibold">UI gallery</h1>
          <Segmented
            aria-label="Page"
            value={page}
            onChange={setPage}
            options={Object.keys(pages).map((value) => ({ value, label: value }))}
            className="overflow-x-auto"
          />
          <Segmented
            aria-label="Theme"
            value={theme}
            onChange={setTheme}
            options={['light', 'dark', 'system'].map((value) => ({ value, label: value }))}
            className="ml-auto"
          />
        </header>
        <main className="min-h-0 flex-1 overflow-auto p-6">
          <Suspense fallback={<SkeletonLines />}>
            <Page />
          </Suspense>
        </main>
      </div>
    </TooltipProvider>
  )
}

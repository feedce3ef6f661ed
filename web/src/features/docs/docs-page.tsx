import { useQuery } from '@tanstack/react-query'
import { FileQuestion } from 'lucide-react'
import { type MouseEvent, useCallback } from 'react'
import { Link, NavLink, useNavigate, useParams } from 'react-router'
import { paths } from '@/app/paths.ts'
import { cn } from '@/lib/cn.ts'
import { usePageName } from '@/lib/page-name.ts'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { Markdown } from '@/ui/markdown.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { documents } from './documents.ts'

/** Every document, for those who look around. */
export function DocsIndexPage() {
  return (
    <ul className="mx-auto flex max-w-3xl flex-col p-4">
      {documents.map(({ name, title }) => (
        <li key={name}>
          <Link to={paths.doc(name)} className="block rounded-md px-3 py-2 text-sm hover:bg-hover">
            {title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** One document, with the others beside it. */
export function DocsPage() {
  const { name = '' } = useParams()
  const navigate = useNavigate()
  const document = documents.find((one) => one.name === name)
  usePageName(paths.doc(name), document?.title)
  const { data, error, refetch } = useQuery({
    queryKey: ['document', name],
    queryFn: () => document!.load(),
    enabled: document !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  })
  // Links between documents are file names; here they are pages.
  const onLink = useCallback(
    (event: MouseEvent, href: string) => {
      const other = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href)
      if (!other) return
      event.preventDefault()
      void navigate(paths.doc(other[1]!) + (other[2] ?? ''))
    },
    [navigate],
  )

  if (!document) return <EmptyState icon={FileQuestion} title="There is no such document" className="min-h-full" />
  return (
    <div className="mx-auto flex max-w-5xl gap-8 px-4 py-6">
      <nav aria-label="Documents" className="w-48 shrink-0 max-md:hidden">
        <ul className="sticky top-6 flex flex-col gap-0.5">
          {documents.map((one) => (
            <li key={one.name}>
              <NavLink
                to={paths.doc(one.name)}
                className={({ isActive }) =>
                  cn(
                    'block rounded-md px-2 py-1 text-sm text-muted hover:bg-hover hover:text-fg',
                    isActive && 'font-medium text-fg',
                  )
                }
              >
                {one.title}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <article className="min-w-0 flex-1">
        {error ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} className="m-0" />
        ) : data === undefined ? (
          <SkeletonLines lines={12} />
        ) : (
          <Markdown text={data} onLink={onLink} isDocument />
        )}
      </article>
    </div>
  )
}

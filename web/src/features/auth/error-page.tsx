import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { hasStatus, isRecord } from '@/api/errors.ts'
import { paths } from '@/app/paths.ts'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { AuthCard, linkClass } from './auth-page.tsx'
import { getFlowError } from './flows.ts'

const texts: Record<string, string> = {
  BAD_SESSION: 'Bad Session. Please try logging out and logging in again, if the problem persist, please contact us.',
}

const back = (
  <Link to={paths.home} className={linkClass}>
    Go back
  </Link>
)

/** /error and /error/{id}: a flow error of the self-hosted identity service, or a code of the hosted one. */
export function ErrorPage() {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const [search] = useSearchParams()
  const params = useParams()
  const id = params.id ?? search.get('id')
  if (!capabilities) return <SkeletonLines lines={2} className="w-full max-w-sm" />
  return capabilities.auth !== 'clerk' && id ? (
    <FlowErrorPage id={id} />
  ) : (
    <ErrorCodePage code={search.get('error_code')} />
  )
}

function ErrorCodePage({ code }: { code: string | null }) {
  const text = code !== null && Object.hasOwn(texts, code) ? texts[code] : 'Unknown error'
  return (
    <AuthCard title="Error" footer={back}>
      <p role="alert" className="text-sm text-pretty text-muted">
        {text}
      </p>
    </AuthCard>
  )
}

/** The words of a flow error; an error of another shape is shown as it came. */
function reasonOf(data: unknown): string {
  const error = isRecord(data) ? data.error : data
  const words = isRecord(error) ? (error.reason ?? error.message) : error
  return typeof words === 'string' && words !== '' ? words : JSON.stringify(data)
}

function FlowErrorPage({ id }: { id: string }) {
  const navigate = useNavigate()
  const { data, error } = useQuery({
    queryKey: ['flow-error', id],
    queryFn: ({ signal }) => getFlowError(id, signal),
    meta: { quiet: true },
  })
  const gone = hasStatus(error, 403, 404, 410)
  useEffect(() => {
    if (gone) void navigate(paths.home, { replace: true })
  }, [gone, navigate])
  if (error && !gone) throw error
  if (data === undefined) return <SkeletonLines lines={4} className="w-full max-w-sm" />
  return (
    <AuthCard title="Error" footer={back}>
      <p role="alert" className="text-sm text-pretty break-words text-muted">
        {reasonOf(data)}
      </p>
      <details className="mt-4 text-xs text-muted">
        <summary className="w-fit cursor-pointer rounded-sm select-none hover:text-fg">Details</summary>
        <pre className="mt-2 overflow-x-auto rounded-md bg-sunken p-3 font-mono whitespace-pre-wrap">
          {JSON.stringify(data, null, 2)}
        </pre>
      </details>
    </AuthCard>
  )
}
